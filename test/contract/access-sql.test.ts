import {
  IS_ALIVE,
  IS_ALIVE_BY_ID,
  isListed,
  isOpen,
  MAY_MANAGE,
  MAY_READ,
  MAY_READ_AUDIT_LOG,
} from '../../src/access/access-sql.js';
import { type AccessContext, decide, decideTeam } from '../../src/access/decide.js';
import {
  ACCESS_LEVELS,
  TEAM_ROLES,
  VISIBILITIES,
  WORKSPACE_ROLES,
  type WorkspaceAction,
} from '../../src/access/roles.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { sql } from '../support/sql.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Column = (typeof COLUMNS)[number];
const COLUMNS = ['teamRole', 'workspaceRole', 'visibility', 'archivedAt', 'deletedAt'] as const;

/** All that decides, but that nobody has a role in a workspace who has none in its team: a foreign key forbids it. */
const CONTEXTS: AccessContext[] = [null, ...TEAM_ROLES].flatMap((teamRole) =>
  [null, ...(teamRole === null ? [] : WORKSPACE_ROLES)].flatMap((workspaceRole) =>
    VISIBILITIES.flatMap((visibility) =>
      ACCESS_LEVELS.flatMap((defaultAccess) =>
        [null, new Date(0)].flatMap((archivedAt) =>
          [null, new Date(0)].map((deletedAt) => ({
            ...{ teamRole, workspaceRole, visibility, defaultAccess, archivedAt, deletedAt },
            workspaceName: 'Handbook',
          })),
        ),
      ),
    ),
  ),
);

/** The contexts for which the conditions are not what is decided, by name. */
async function differences(
  cases: Record<string, [condition: string, isAllowed: (context: AccessContext) => boolean]>,
): Promise<string[]> {
  const values = CONTEXTS.map((_, row) => {
    const [team, own, visibility, archived, deleted] = COLUMNS.map(
      (_, column) => `$${row * COLUMNS.length + column + 1}`,
    );
    return `(${row}, ${team}, ${own}, ${visibility}, ${archived}::timestamptz, ${deleted}::timestamptz)`;
  });
  const conditions = Object.values(cases).map(([condition]) => `coalesce((${condition}), false)`);
  const rows = await sql<{ allowed: boolean[] }>(
    database.url,
    `SELECT ARRAY[${conditions.join(', ')}] AS allowed
    FROM (VALUES ${values.join(', ')}) AS n (id, team_role, own_role, visibility, archived_at, deleted_at)
    CROSS JOIN LATERAL (SELECT n.team_role AS role) AS tm
    CROSS JOIN LATERAL (SELECT n.own_role AS role) AS wm
    CROSS JOIN LATERAL (SELECT n.visibility, n.archived_at, n.deleted_at) AS w
    ORDER BY n.id`,
    CONTEXTS.flatMap((context) => COLUMNS.map((column: Column) => context[column])),
  );
  expect(rows).toHaveLength(CONTEXTS.length);
  return Object.entries(cases).flatMap(([name, [, isAllowed]], index) =>
    CONTEXTS.flatMap((context, row) => {
      const found = rows[row]?.allowed[index];
      return found === isAllowed(context) ? [] : [`${name}: ${found} ${JSON.stringify(context)}`];
    }),
  );
}

const may = (action: WorkspaceAction) => (context: AccessContext) =>
  decide(action, context) === 'allow';

test('the conditions of statements are what decide() says, for all roles, settings and states', async () => {
  const isGuest = (context: AccessContext) => context.teamRole === 'guest';
  const isMember = "tm.role IS NOT NULL AND tm.role <> 'guest'";
  const listed = [IS_ALIVE, isMember, isListed('w', 'wm')].join(' AND ');
  const open = [IS_ALIVE, isMember, 'wm.role IS NULL', isOpen('w.visibility')].join(' AND ');
  const ofMember = (context: AccessContext) => !isGuest(context) && may('workspace.read')(context);
  expect(
    await differences({
      'read a workspace': [`${IS_ALIVE} AND ${MAY_READ}`, may('workspace.read')],
      'read its content': [`${IS_ALIVE_BY_ID} AND ${MAY_READ}`, may('content.read')],
      'list its members': [`${IS_ALIVE} AND ${MAY_READ}`, may('workspace.listMembers')],
      'restore a workspace': [`NOT (${IS_ALIVE}) AND ${MAY_MANAGE}`, may('workspace.restore')],
      'delete a workspace': [`${IS_ALIVE} AND ${MAY_MANAGE}`, may('workspace.delete')],
      'list workspaces': [listed, ofMember],
      'read without a role': [
        open,
        (context) => context.workspaceRole === null && ofMember(context),
      ],
      'leave nothing out of a list that a guest may read': [
        `${IS_ALIVE} AND tm.role = 'guest' AND ${MAY_READ} AND NOT ${isListed('w', 'wm')}`,
        () => false,
      ],
      'read the audit log': [
        MAY_READ_AUDIT_LOG,
        ({ teamRole }) => decideTeam('team.readAuditLog', teamRole) === 'allow',
      ],
    }),
  ).toEqual([]);
});
