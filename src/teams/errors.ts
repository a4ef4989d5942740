import type { Limits, Plan, Resource } from '../config/plan-limits.js';
import { badRequest, conflict, type DomainError, forbidden } from '../errors/domain-error.js';

/** `teamId` and `team_slug` contradict each other. */
export const otherTeam = (): DomainError =>
  badRequest('teamId must be the id of the team that team_slug names');

export const slugTaken = (slug: string | undefined): DomainError =>
  conflict(`slug ${slug} is already taken: choose another one`);

export const tooManyTeams = (max: number): DomainError =>
  forbidden(
    `a person can own at most ${max} teams: make someone else an owner of one and leave it`,
  );

/** The refusal of growth past a plan's limit; its message names the limit. */
export const limitReached = (
  { plan, limit }: { plan: Plan; limit: Limits },
  resource: Resource | 'collections',
): DomainError => {
  // As many collections as pages, counted by themselves.
  const field = resource === 'collections' ? 'pages' : resource;
  return forbidden(
    `the ${plan} plan's limit of ${limit[field]} ${resource} (limit.${field}) is reached: remove some ${resource} or change the plan`,
  );
};

export const memberAlready = (): DomainError =>
  conflict('you are already a member of this team: there is no need to join');

export const lastOwner = (): DomainError =>
  conflict('a team needs an owner: make someone else one first');

export const emailNotVerified = (): DomainError =>
  forbidden(
    'your email is not verified by the identity provider: verify it there and get a new token',
  );

/** @param emails those of members */
export const inTeamAlready = (emails: string[]): DomainError =>
  conflict(`invites must leave out who is already in the team: ${emails.join(', ')}`);

export const tooManyPending = (plan: Plan, max: number): DomainError =>
  forbidden(
    `a team on the ${plan} plan can have at most ${max} pending invites: revoke some, or wait until they are answered`,
  );

export const acceptedAlready = (): DomainError =>
  conflict('the invite was already accepted: to undo that, remove the member from the team');
