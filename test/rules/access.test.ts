import {
  type AccessContext,
  effectiveAccess,
  enforce,
  enforceCanManage,
  enforceGivingUpRole,
  enforceTeam,
} from '../../src/access/decide.js';
import {
  TEAM_ROLES,
  type TeamRole,
  WORKSPACE_ROLES,
  type WorkspaceAction,
} from '../../src/access/roles.js';
import { wrongRefusals } from './told.js';

// Who may do what, in full, is test/contract/golden/access.json. Here is what the caller is told.

const context = (more: Partial<AccessContext>): AccessContext => ({
  ...{ teamRole: 'member', workspaceRole: null, visibility: 'public', defaultAccess: 'full' },
  ...{ archivedAt: null, deletedAt: null, workspaceName: 'Handbook' },
  ...more,
});

const ARCHIVED = { archivedAt: new Date() };
const DELETED = { ...ARCHIVED, deletedAt: new Date(), workspaceRole: 'editor' as const };

const STRANGER = 'forbidden: you are not a member of this team: ask for an invite';

test('a team action says which role it takes', () => {
  const ask = (role: string) =>
    `forbidden: this requires the team role ${role}: ask an owner of the team for it`;
  expect(
    wrongRefusals({
      'a stranger reads': [() => enforceTeam('team.read', null), STRANGER],
      'a guest reads': [() => enforceTeam('team.read', 'guest'), 'allowed'],
      'a guest creates': [() => enforceTeam('workspace.create', 'guest'), ask('member or above')],
      'a member updates': [() => enforceTeam('team.update', 'member'), ask('moderator or above')],
      'a moderator updates': [() => enforceTeam('team.update', 'moderator'), 'allowed'],
      'a moderator renames': [() => enforceTeam('team.changeSlug', 'moderator'), ask('owner')],
      'an owner renames': [() => enforceTeam('team.changeSlug', 'owner'), 'allowed'],
    }),
  ).toEqual([]);
});

test('a workspace action that is refused says whom to ask, or that there is no such workspace', () => {
  const absent =
    'not_found: workspace not found: check its slug, or ask one of its editors to add you';
  const archived = 'conflict: workspace Handbook is archived: unarchive it to change its content';
  const run = (action: WorkspaceAction, given: Partial<AccessContext>) => () =>
    enforce(action, context(given), 'workspace');
  expect(
    wrongRefusals({
      'a reader reads': [run('content.read', { defaultAccess: 'read-only' }), 'allowed'],
      'a reader writes': [
        run('content.write', { defaultAccess: 'read-only' }),
        'forbidden: you have read-only access to this workspace: ask one of its editors for the role editor',
      ],
      'a member manages': [
        run('workspace.update', {}),
        'forbidden: this requires the workspace role editor: ask one of its editors for it',
      ],
      'a guest reads': [run('content.read', { teamRole: 'guest' }), absent],
      'a stranger reads': [run('content.read', { teamRole: null }), STRANGER],
      'a member reads what is private': [run('content.read', { visibility: 'private' }), absent],
      'a member writes what is archived': [run('content.write', ARCHIVED), archived],
      'a member reads what is archived': [run('content.readHistory', ARCHIVED), 'allowed'],
      'a reader writes what is archived': [
        run('content.write', { ...ARCHIVED, defaultAccess: 'read-only' }),
        'forbidden: you have read-only access to this workspace: ask one of its editors for the role editor',
      ],
      'a guest writes what is archived': [
        run('content.write', { ...ARCHIVED, teamRole: 'guest' }),
        absent,
      ],
      'an editor writes what is deleted': [run('content.write', DELETED), absent],
      'an editor restores what is deleted': [run('workspace.restore', DELETED), 'allowed'],
      'an editor restores what is there': [
        run('workspace.restore', { workspaceRole: 'editor' }),
        absent,
      ],
    }),
  ).toEqual([]);
});

test('a role that narrows access is given up only by those who manage the workspace', () => {
  const refused =
    'forbidden: without the role reader you could do more in this workspace: ask one of its editors to remove it';
  const reader = { workspaceRole: 'reader' } as const;
  const giveUp = (given: Partial<AccessContext>) => () => enforceGivingUpRole(context(given));
  expect(
    wrongRefusals({
      'a reader where all may write': [giveUp(reader), refused],
      'a reader where all may read': [giveUp({ ...reader, defaultAccess: 'read-only' }), 'allowed'],
      'a reader of what is private': [giveUp({ ...reader, visibility: 'private' }), 'allowed'],
      'a guest': [giveUp({ ...reader, teamRole: 'guest' }), 'allowed'],
      'a moderator': [giveUp({ ...reader, teamRole: 'moderator' }), 'allowed'],
      'an editor': [giveUp({ workspaceRole: 'editor', defaultAccess: 'read-only' }), 'allowed'],
    }),
  ).toEqual([]);
});

test('a moderator manages people only if all of them are below moderator', () => {
  const refused =
    'forbidden: this requires the team role owner: others manage only people below moderator';
  const manage =
    (actor: TeamRole, ...roles: TeamRole[]) =>
    () =>
      enforceCanManage(actor, roles);
  expect(
    wrongRefusals({
      'an owner manages anyone': [manage('owner', ...TEAM_ROLES), 'allowed'],
      'a moderator manages members': [manage('moderator', 'guest', 'member'), 'allowed'],
      'the last is a moderator': [manage('moderator', 'guest', 'moderator'), refused],
      'the first is an owner': [manage('moderator', 'owner', 'guest'), refused],
      'a member manages a guest': [manage('member', 'guest'), refused],
      'a member manages nobody': [manage('member'), refused],
    }),
  ).toEqual([]);
});

test('no workspace role gives access to somebody who is not in the team', () => {
  const strangers = [null, ...WORKSPACE_ROLES].map((workspaceRole) =>
    effectiveAccess(context({ teamRole: null, workspaceRole })),
  );
  expect(strangers).toEqual(['none', 'none', 'none']);
});
