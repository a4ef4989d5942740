import { type AccessContext, canManage, decide, decideTeam } from '../../src/access/decide.js';
import {
  ACCESS_LEVELS,
  TEAM_ACTIONS,
  TEAM_ROLES,
  type TeamAction,
  VISIBILITIES,
  WORKSPACE_ACTIONS,
  WORKSPACE_ROLES,
  type WorkspaceAction,
} from '../../src/access/roles.js';
import { expectGolden } from '../support/golden.js';

const NO_ROLE = 'no role';
const ANY_TEAM_ROLE = [null, ...TEAM_ROLES];
const ANY_WORKSPACE_ROLE = [null, ...WORKSPACE_ROLES];

const table = <Key extends string | null, Value>(
  keys: readonly Key[],
  cell: (key: Key) => Value,
): Record<string, Value> => Object.fromEntries(keys.map((key) => [key ?? NO_ROLE, cell(key)]));

/** A line of the table: what is decided for each team role. */
const line = (decision: (role: (typeof ANY_TEAM_ROLE)[number]) => string): string =>
  ANY_TEAM_ROLE.map((role) => `${role ?? NO_ROLE}: ${decision(role)}`).join(', ');

/** An owner who is an editor, in a workspace that is neither archived nor deleted. */
const AT_HOME: AccessContext = {
  ...{ teamRole: 'owner', workspaceRole: 'editor', visibility: 'public', defaultAccess: 'full' },
  ...{ archivedAt: null, deletedAt: null, workspaceName: 'Handbook' },
};
const then = new Date(0);
const STATES: Record<string, AccessContext> = {
  active: AT_HOME,
  archived: { ...AT_HOME, archivedAt: then },
  deleted: { ...AT_HOME, deletedAt: then },
  'archived and deleted': { ...AT_HOME, archivedAt: then, deletedAt: then },
};

test('the role × action table is the golden one', () => {
  const workspaces = VISIBILITIES.flatMap((visibility) =>
    ACCESS_LEVELS.map((defaultAccess) => ({ visibility, defaultAccess })),
  );
  expectGolden('access.json', {
    team: table(Object.keys(TEAM_ACTIONS) as TeamAction[], (action) =>
      line((role) => decideTeam(action, role)),
    ),
    workspace: table(Object.keys(WORKSPACE_ACTIONS) as WorkspaceAction[], (action) =>
      Object.fromEntries(
        workspaces.map((workspace) => [
          `${workspace.visibility}, by default ${workspace.defaultAccess}`,
          table(ANY_WORKSPACE_ROLE, (workspaceRole) =>
            line((teamRole) =>
              decide(action, { ...AT_HOME, ...workspace, teamRole, workspaceRole }),
            ),
          ),
        ]),
      ),
    ),
    // What an owner may do who is an editor.
    states: table(Object.keys(WORKSPACE_ACTIONS) as WorkspaceAction[], (action) =>
      Object.entries(STATES)
        .map(([state, at]) => `${state}: ${decide(action, at)}`)
        .join(', '),
    ),
    canManage: table(TEAM_ROLES, (actor) =>
      TEAM_ROLES.map((role) => `${role}: ${canManage(actor, [role]) ? 'yes' : 'no'}`).join(', '),
    ),
  });
});
