import type { Type } from '@nestjs/common';
import type { AccessContext } from '../access/decide.js';
import { enforce, enforceCanManage, enforceTeam } from '../access/enforce.js';
import type { TeamAction, WorkspaceAction } from '../access/table.js';
import { DomainError, type Missing, notFound } from '../errors/domain-error.js';
import { RequestPipe } from '../validation/request.pipe.js';

// Example errors for the document: each is thrown by the code of the service, and caught here.

/** The errors that checks throw; a check that passes adds none. */
export const thrownBy = (...checks: (() => unknown)[]): DomainError[] =>
  checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof DomainError) return [error];
      throw error;
    }
  });

/** The refusals of an action on a team. */
export const teamErrors = (action: TeamAction): DomainError[] => [
  ...thrownBy(
    () => enforceTeam(action, null),
    () => enforceTeam(action, 'guest'),
  ),
  notFound('team'),
];

/** The refusals of managing people of a team. */
export const peopleErrors = (): DomainError[] => [
  ...teamErrors('team.managePeople'),
  ...thrownBy(() => enforceCanManage('moderator', ['owner'])),
];

const STRANGER: AccessContext = {
  teamRole: null,
  workspaceRole: null,
  visibility: 'public',
  defaultAccess: 'full',
};

/** Someone with a role of their own, without which they could do more. */
export const READER: AccessContext = { ...STRANGER, teamRole: 'member', workspaceRole: 'reader' };

/** The refusals of an action in a workspace that the request names. */
export const workspaceErrors = (action: WorkspaceAction): DomainError[] => [
  ...thrownBy(
    () => enforce(action, STRANGER, 'workspace'),
    () => enforce(action, READER, 'workspace'),
  ),
  notFound('team'),
  notFound('workspace'),
];

/** The refusals of an action on an item that is found by its id. */
export const itemErrors = (
  action: WorkspaceAction,
  what: Missing = 'collection or page',
): DomainError[] => [...thrownBy(() => enforce(action, READER, 'workspace')), notFound(what)];

const invalid = (type: 'body' | 'query', metatype: Type, values: unknown[]): DomainError[] =>
  values.flatMap((value) => thrownBy(() => new RequestPipe().transform(value, { type, metatype })));

/** The refusals of malformed bodies by their request class. */
export const bodyErrors = (requestClass: Type, ...bodies: unknown[]): DomainError[] =>
  invalid('body', requestClass, bodies);

/** The refusals of malformed queries by their request class. */
export const queryErrors = (requestClass: Type, ...queries: object[]): DomainError[] =>
  invalid('query', requestClass, queries);
