import type { WorkspaceRole } from '../../access/roles.js';
import { conflict, unprocessable } from '../../errors/domain-error.js';

/** Someone with a role of their own in a workspace. */
export interface WorkspaceMember {
  id: string;
  name: string;
  email: string;
  /** Address of a picture. */
  image: string | null;
  role: WorkspaceRole;
}

/** A team member to be given a role in a workspace. */
export interface NewWorkspaceMember {
  email: string;
  role: WorkspaceRole;
}

export const lastEditor = () =>
  conflict('a private workspace needs an editor: make someone else one first');

/** @param emails those of nobody, or of several people */
export const unclearEmails = (emails: string[]) =>
  unprocessable(
    `each email must be the verified one of exactly one team member: ${emails.join(', ')}`,
  );
