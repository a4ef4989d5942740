import { conflict, type DomainError, notFound, unprocessable } from '../errors/domain-error.js';

export const slugTakenInTeam = (slug: string | undefined): DomainError =>
  conflict(`slug ${slug} is already taken in this team: choose another one`);

export const lastEditor = (): DomainError =>
  conflict('a private workspace needs an editor: make someone else one first');

/** @param emails those of nobody, or of several people */
export const unclearEmails = (emails: string[]): DomainError =>
  unprocessable(
    `each email must be the verified one of exactly one team member: ${emails.join(', ')}`,
  );

/** One that the caller may not delete is as good as none. */
export const notInTeamTrash = (): DomainError => notFound('deleted workspace');
