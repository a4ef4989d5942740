import { conflict, unprocessable } from '../../errors/domain-error.js';
export const lastEditor = () => conflict('a private workspace needs an editor: make someone else one first');
/** @param emails those of nobody, or of several people */
export const unclearEmails = (emails) => unprocessable(`each email must be the verified one of exactly one team member: ${emails.join(', ')}`);
//# sourceMappingURL=workspace-member.js.map