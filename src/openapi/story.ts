/**
 * One story for all examples: Ada owns the team Acme, Bob is a member; the workspace Handbook holds
 * the collection Guides with two pages. What is sent as it is prefilled changes nothing that the
 * story did not make.
 */
const id = (last: string) => `019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c${last}`;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const times = (seconds: number) => ({ createdAt: at(seconds), updatedAt: at(seconds) });

const CODE = 'p3T0x1nqSbG5fZlq2mVh8KdA';
const ada = { _id: id('0a'), name: 'Ada', email: 'ada@example.com' };
const bob = { _id: id('0b'), name: 'Bob', email: 'bob@example.com' };

const team = {
  _id: id('10'),
  name: 'Acme',
  logo: null,
  description: 'Rockets and anvils',
  role: 'owner',
  membersCount: 2,
  meta: { title: 'Acme', description: 'Rockets and anvils', slug: 'acme' },
  inviteCode: CODE,
  plan: 'free',
  billingCycleStart: Date.UTC(2026, 0, 1),
  usage: { pages: 2, users: 2, workspaces: 1 },
  limit: { pages: 1000, users: 20, workspaces: 10 },
  ...times(0),
};

const workspace = {
  _id: id('20'),
  name: 'Handbook',
  description: 'How we work',
  defaultAccess: 'full',
  meta: { title: 'Handbook', description: 'How we work', slug: 'handbook' },
  Visibility: 'public',
  access: 'full',
  ...times(1),
};

const place = { team: team._id, workspace: workspace._id };
const content = { type: 'doc', text: 'Welcome!' };
const page = (last: string, name: string, slug: string, seconds: number) => ({
  id: id(last),
  name,
  object: 'item',
  parent: id('30'),
  ...place,
  meta: { title: name, slug },
  ...times(seconds),
});
const firstDay = page('31', 'First day', 'first-day', 3);
const holidays = page('32', 'Holidays', 'holidays', 4);
const guides = {
  id: id('30'),
  name: 'Guides',
  object: 'collection',
  ...place,
  meta: { title: 'Guides', slug: 'guides' },
  ...times(2),
};
const tree = { ...guides, children: [firstDay, holidays] };

const invite = {
  _id: id('40'),
  email: bob.email,
  role: 'member',
  expires: new Date(Date.UTC(2026, 0, 15)).toISOString(),
  createdAt: at(0),
};

/** The example of each schema; its properties take theirs from it. */
export const RECORDS: Record<string, unknown> = {
  Person: ada,
  Team: team,
  TeamUsage: team.usage,
  TeamLimit: team.limit,
  TeamMember: { ...ada, role: 'owner' },
  TeamMemberList: {
    users: [
      { ...ada, role: 'owner' },
      { ...bob, role: 'member' },
    ],
  },
  TeamInvite: invite,
  TeamInvitesList: { users: [invite] },
  Workspace: workspace,
  WorkspaceMember: { ...ada, role: 'editor' },
  WorkspaceMemberList: { users: [{ ...ada, role: 'editor' }] },
  Collection: { ...tree, content: {} },
  CollectionMeta: guides.meta,
  Meta: team.meta,
  CreateTeamRequest: { name: 'Acme', slug: 'acme', description: 'Rockets and anvils' },
  UpdateTeamRequest: { name: 'Acme', description: 'Rockets and anvils' },
  UpdateTeamMemberRoleRequest: { userId: bob._id, role: 'member' },
  RemoveTeamMemberRequest: { userId: bob._id },
  NewTeamInvite: { email: bob.email, role: 'member' },
  SendInviteRequest: { invites: [{ email: bob.email, role: 'member' }] },
  JoinTeamRequest: { inviteCode: CODE },
  CreateWorkspaceRequest: { name: 'Handbook', description: 'How we work' },
  UpdateWorkspaceRequest: { name: 'Handbook', description: 'How we work' },
  AddWorkspaceMember: { email: bob.email, role: 'reader' },
  UpdateWorkspaceRoleRequest: { userId: bob._id, role: 'reader' },
  RemoveWorkspaceUserRequest: { userId: bob._id },
  CreateCollectionRequest: { name: 'Guides' },
  UpdateCollectionRequest: { name: 'Guides' },
  ReorderItemRequest: { id: firstDay.id, index: 1, parent: guides.id },
  CreateCollectionsRequest: {
    items: [
      {
        name: 'Guides',
        children: [
          { name: 'First day', object: 'item', content },
          { name: 'Holidays', object: 'item' },
        ],
      },
    ],
  },
  OrderCollectionsRequest: { parent: guides.id, children: [holidays.id, firstDay.id] },
};

/** Bodies to choose from, where one operation does several things; the first one is prefilled. */
export const BODIES: Record<string, Record<string, { summary: string; value: unknown }>> = {
  createCollection: {
    collection: { summary: 'A collection at the top level', value: { name: 'Guides' } },
    page: {
      summary: 'A page in a collection',
      value: { name: 'First day', object: 'item', parent: guides.id, content },
    },
  },
  updateCollection: {
    name: { summary: 'A new name', value: { name: 'Guides' } },
    content: { summary: 'New content of a page', value: { content } },
    move: { summary: 'To the end of the top level', value: { parent: null } },
  },
  reorderItem: {
    within: {
      summary: 'Behind its sibling',
      value: { id: firstDay.id, index: 1, parent: guides.id },
    },
    top: {
      summary: 'To the beginning of the top level',
      value: { id: firstDay.id, index: 0, newParent: null },
    },
  },
};

/** Answers that the schema's own example does not show well. */
export const ANSWERS: Record<string, unknown> = {
  getCollections: [tree],
  createCollection: { ...guides, children: [], content: {} },
  createCollections: [tree],
  getCollection: { ...tree, content: {} },
  getCollectionBySlug: { ...tree, content: {} },
  reorderItem: { message: 'The item was moved.' },
  orderCollections: { message: 'The items were put in order.' },
  deleteCollection: { message: 'The item was deleted with all below it.' },
  deleteWorkspace: { message: 'The workspace was deleted.' },
  updateTeamMember: { message: 'The role was changed.' },
  removeTeamMember: { message: 'The member was removed from the team.' },
  revokeTeamInvite: { message: 'The invite was revoked.' },
  declineInvite: { message: 'The invite was declined.' },
  removeWorkspaceMember: { message: 'The member was removed from the workspace.' },
  updateWorkspaceMember: { message: 'The role was changed.' },
};
