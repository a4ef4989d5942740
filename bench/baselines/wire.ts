/** Rows as the baselines read them, and the same JSON as the service makes of them. */

export interface TeamRow {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  logo: string | null;
  plan: keyof typeof LIMITS;
  invite_code: string;
  billing_cycle_start: Date;
  pages: number;
  users: number;
  workspaces: number;
  role: string;
  created_at: Date;
  updated_at: Date;
}

export interface WorkspaceRow {
  id: string;
  slug: string;
  name: string;
  description: string;
  visibility: string;
  default_access: string;
  tree_stamp: string;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface ItemRow {
  id: string;
  team_id: string;
  workspace_id: string;
  parent_id: string | null;
  object: 'collection' | 'item';
  name: string;
  slug: string;
  key: string | null;
  content?: object | null;
  created_at: Date;
  updated_at: Date;
  created_by: string | null;
  updated_by: string | null;
}

export interface MemberRow {
  id: string;
  name: string;
  email: string;
  image: string | null;
  role: string;
}

export interface InviteRow {
  id: string;
  email: string;
  role: string;
  expires_at: Date;
  created_at: Date;
}

/** An item as lists show it; `children` is there on collections. */
export interface ListedItem {
  id: string;
  children?: ListedItem[];
}

/** What the plans allow; 0 is unlimited. */
export const LIMITS = {
  free: { pages: 1_000, users: 20, workspaces: 10 },
  pro: { pages: 50_000, users: 200, workspaces: 100 },
  business: { pages: 1_000_000, users: 2_000, workspaces: 1_000 },
  enterprise: { pages: 0, users: 0, workspaces: 0 },
};

export function serializeTeam(row: TeamRow): object {
  const seesCode = row.role === 'owner' || row.role === 'moderator';
  return {
    _id: row.id,
    name: row.name,
    logo: row.logo,
    description: row.description,
    role: row.role,
    membersCount: row.users,
    meta: { title: row.name, description: row.description ?? '', slug: row.slug },
    inviteCode: seesCode ? row.invite_code : '',
    plan: row.plan,
    billingCycleStart: row.billing_cycle_start.getTime(),
    usage: { pages: row.pages, users: row.users, workspaces: row.workspaces },
    limit: LIMITS[row.plan],
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function serializeWorkspace(row: WorkspaceRow, access: string): object {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    defaultAccess: row.default_access,
    meta: { title: row.name, description: row.description, slug: row.slug },
    Visibility: row.visibility,
    archivedAt: row.archived_at?.toISOString() ?? null,
    access,
    version: row.tree_stamp,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** An item alone, with its content and, on a collection, its direct children. */
export function serializeItem(row: ItemRow, children: readonly ItemRow[] = []): object {
  return {
    ...listed(row),
    content: row.content ?? {},
    ...(row.object === 'collection' && { children: children.map(listed) }),
  };
}

export function serializeMembers(rows: readonly MemberRow[]): object {
  const users = rows.map(({ id, name, email, image, role }) => ({
    ...{ _id: id, name, email, ...(image !== null && { image }), role },
  }));
  return { users };
}

export function serializeInvites(rows: readonly InviteRow[]): object {
  const users = rows.map(({ id, email, role, expires_at, created_at }) => ({
    ...{ _id: id, email, role, expires: expires_at.toISOString() },
    createdAt: created_at.toISOString(),
  }));
  return { users };
}

/** Nests rows that come in the order of their positions, below `root` (null: the workspace). */
export function serializeTree(rows: readonly ItemRow[], root: string | null = null): ListedItem[] {
  const top: ListedItem[] = [];
  const childrenOf = new Map<string, ListedItem[]>();
  const below = (id: string): ListedItem[] => {
    const known = childrenOf.get(id);
    if (known) return known;
    const fresh: ListedItem[] = [];
    childrenOf.set(id, fresh);
    return fresh;
  };
  for (const row of rows) {
    const item: ListedItem = listed(row);
    if (row.object === 'collection') item.children = below(row.id);
    (row.parent_id === root ? top : below(row.parent_id ?? '')).push(item);
  }
  return top;
}

function listed(row: ItemRow) {
  return {
    id: row.id,
    name: row.name,
    object: row.object,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    ...(row.key !== null && { key: row.key }),
    team: row.team_id,
    workspace: row.workspace_id,
    meta: { title: row.name, slug: row.slug },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
  };
}
