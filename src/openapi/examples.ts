/**
 * One setting for all examples: Ada owns the team Acme, Bob is a member; the workspace Handbook
 * holds the collection Guides with two pages. Prefilled requests change only what the examples
 * created.
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
  archivedAt: null,
  access: 'full',
  version: '5d0f1b9e-6a41-4f7e-9f0a-3c1f4a3f8b52',
  ...times(1),
};

const authors = { createdBy: ada._id, updatedBy: ada._id };
const place = { team: team._id, workspace: workspace._id };
export const CONTENT = { type: 'doc', text: 'Welcome!' };
const page = (last: string, name: string, slug: string, seconds: number) => ({
  id: id(last),
  name,
  object: 'item',
  parent: id('30'),
  ...place,
  meta: { title: name, slug },
  ...times(seconds),
  ...authors,
});
export const FIRST_DAY = page('31', 'First day', 'first-day', 3);
const HOLIDAYS = page('32', 'Holidays', 'holidays', 4);
export const GUIDES = {
  id: id('30'),
  name: 'Guides',
  object: 'collection',
  ...place,
  meta: { title: 'Guides', slug: 'guides' },
  ...times(2),
  ...authors,
};
/** Guides (copy), a copy of Guides without its pages. */
export const GUIDES_COPY = {
  ...GUIDES,
  id: id('33'),
  name: 'Guides (copy)',
  meta: { title: 'Guides (copy)', slug: 'guides-copy' },
  children: [],
  ...times(6),
};
export const TREE = { ...GUIDES, children: [FIRST_DAY, HOLIDAYS] };

/** What First day was before Bob overwrote it. */
export const VERSION = {
  version: 1,
  since: at(3),
  until: at(5),
  by: { _id: ada._id, name: ada.name },
  bytes: JSON.stringify(CONTENT).length,
};

/** Guides with its pages, as a program sends it that has their sources. */
export const MANIFEST = {
  items: [
    {
      key: 'handbook:guides',
      name: 'Guides',
      children: [
        {
          key: 'handbook:guides/first-day.md',
          name: 'First day',
          object: 'item',
          content: CONTENT,
        },
        {
          key: 'handbook:guides/holidays.md',
          name: 'Holidays',
          title: 'Holidays: how many there are, and how to ask for them',
          object: 'item',
          content: {},
        },
      ],
    },
  ],
  prune: true,
};
export const APPLIED = {
  created: 1,
  updated: 1,
  moved: 0,
  unchanged: 1,
  pruned: 0,
  ids: {
    'handbook:guides': GUIDES.id,
    'handbook:guides/first-day.md': FIRST_DAY.id,
    'handbook:guides/holidays.md': HOLIDAYS.id,
  },
};

const ANCESTOR = {
  id: GUIDES.id,
  name: GUIDES.name,
  slug: GUIDES.meta.slug,
};

/** What a search for "first" finds. */
export const FOUND = [
  {
    ...FIRST_DAY,
    ancestors: [ANCESTOR],
    workspaceMeta: { title: workspace.meta.title, slug: workspace.meta.slug },
  },
];

/** What a search for "welc" finds in the text of the page. */
const SNIPPET = [
  { text: 'First day ', match: false },
  { text: 'Welcome', match: true },
  { text: '!', match: false },
];

/** A page that was written, and one that was deleted. */
export const CHANGES = {
  changes: [
    { id: FIRST_DAY.id, deleted: false, item: { ...FIRST_DAY, position: 'a0' } },
    { id: HOLIDAYS.id, deleted: true },
  ],
  cursor: 'd0JZb3FfTUEgNCBmZmZm',
  more: false,
};

const deleted = {
  deletedAt: at(5),
  deletedBy: { _id: ada._id, name: ada.name },
  expiresAt: new Date(Date.UTC(2026, 0, 31, 0, 0, 5)).toISOString(),
};

/** Ada has deleted Guides with its two pages. */
export const DELETION = {
  id: GUIDES.id,
  name: GUIDES.name,
  object: GUIDES.object,
  pages: 2,
  collections: 1,
  ...deleted,
};

/** Ada has deleted the workspace Handbook. */
export const DELETED_WORKSPACE = {
  _id: workspace._id,
  name: workspace.name,
  meta: workspace.meta,
  Visibility: workspace.Visibility,
  pages: 2,
  ...deleted,
};

const invite = {
  _id: id('40'),
  email: bob.email,
  role: 'member',
  expires: new Date(Date.UTC(2026, 0, 15)).toISOString(),
  createdAt: at(0),
};

/** Entries of the audit log, newest first. */
export const AUDIT_LOG = [
  {
    _id: id('52'),
    at: at(7),
    actor: { _id: ada._id, name: ada.name },
    action: 'item.deleted',
    target: { type: 'collection', id: GUIDES.id, name: GUIDES.name },
    details: { workspaceId: workspace._id, pages: 2, collections: 1, permanent: false },
    requestId: '5f0c8a8e-4c35-4a3b-8a58-0d0f8a0f3a52',
  },
  {
    _id: id('51'),
    at: at(6),
    actor: { _id: ada._id, name: ada.name },
    action: 'member.role_changed',
    target: { type: 'user', id: bob._id, name: bob.name },
    details: { from: 'guest', to: 'member', inviteCodeRenewed: false },
    requestId: '5f0c8a8e-4c35-4a3b-8a58-0d0f8a0f3a51',
  },
  {
    _id: id('50'),
    at: at(5),
    actor: null,
    action: 'team.plan_changed',
    target: { type: 'team', id: team._id, name: team.name },
    details: { from: 'free', to: 'pro', via: 'cli' },
    requestId: null,
  },
];

/** A webhook of Ada's, as it is shown once. */
export const NEW_WEBHOOK = {
  _id: id('60'),
  url: 'https://example.com/hooks/teamspaces',
  events: ['workspace.changed', 'team.changed'],
  workspaces: null,
  enabled: true,
  disabledBecause: null,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  ...times(8),
};

/** The last attempts to deliver something: a retry has succeeded. */
export const DELIVERIES = [
  {
    id: `msg_${id('62')}`,
    at: at(14),
    event: 'workspace.changed',
    workspace: workspace.meta.slug,
    status: '200',
  },
  {
    id: `msg_${id('62')}`,
    at: at(9),
    event: 'workspace.changed',
    workspace: workspace.meta.slug,
    status: 'timeout',
  },
];

/** The example of each schema; its properties get theirs from it. */
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
  Collection: { ...TREE, content: {} },
  Message: { message: 'The item was moved.' },
  Ancestor: ANCESTOR,
  NewCollection: { name: 'First day', object: 'item', content: CONTENT },
  PatchOperation: { op: 'add', path: '/items/-', value: { done: false } },
  DuplicateCollectionRequest: { name: 'Guides (copy)' },
  DuplicatedCollection: { ...GUIDES_COPY, content: {} },
  TransferCollectionRequest: { workspace_slug: 'archive' },
  ChangedItem: { ...FIRST_DAY, content: CONTENT, position: 'a0' },
  Change: CHANGES.changes[0],
  Changes: CHANGES,
  CollectionMeta: GUIDES.meta,
  FoundCollection: { ...FOUND[0], snippet: SNIPPET },
  SnippetPart: SNIPPET[1],
  WorkspaceMeta: FOUND[0]?.workspaceMeta,
  Deletion: DELETION,
  DeletedBy: deleted.deletedBy,
  DeletedWorkspace: DELETED_WORKSPACE,
  AuditEntry: AUDIT_LOG[1],
  AuditActor: AUDIT_LOG[1]?.actor,
  AuditTarget: AUDIT_LOG[1]?.target,
  Webhook: { ...NEW_WEBHOOK, secret: '' },
  WebhookDelivery: DELIVERIES[0],
  CreateWebhookRequest: { url: NEW_WEBHOOK.url },
  UpdateWebhookRequest: { enabled: true },
  RestoreRequest: {},
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
  ReorderItemRequest: { id: FIRST_DAY.id, index: 1, parent: GUIDES.id },
  CreateCollectionsRequest: {
    items: [
      {
        name: 'Guides',
        children: [
          { name: 'First day', object: 'item', content: CONTENT },
          { name: 'Holidays', object: 'item' },
        ],
      },
    ],
  },
  OrderCollectionsRequest: { parent: GUIDES.id, children: [HOLIDAYS.id, FIRST_DAY.id] },
  ManifestItem: MANIFEST.items[0]?.children[0],
  ApplyCollectionsRequest: MANIFEST,
  ApplyReport: APPLIED,
  WrittenBy: VERSION.by,
  PageVersion: VERSION,
  PageVersionWithContent: { ...VERSION, content: CONTENT },
};
