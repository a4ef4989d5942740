/** Rows as the baselines read them, and the same JSON as the service makes of them. */
/** What the plans allow; 0 is unlimited. */
export const LIMITS = {
    free: { pages: 1_000, users: 20, workspaces: 10 },
    pro: { pages: 50_000, users: 200, workspaces: 100 },
    business: { pages: 1_000_000, users: 2_000, workspaces: 1_000 },
    enterprise: { pages: 0, users: 0, workspaces: 0 },
};
export function serializeTeam(row) {
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
export function serializeWorkspace(row, access) {
    return {
        _id: row.id,
        name: row.name,
        description: row.description,
        defaultAccess: row.default_access,
        meta: { title: row.name, description: row.description, slug: row.slug },
        Visibility: row.visibility,
        access,
        version: row.tree_stamp,
        createdAt: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
    };
}
/** An item alone, with its content and, on a collection, its direct children. */
export function serializeItem(row, children = []) {
    return {
        ...listed(row),
        content: row.content ?? {},
        ...(row.object === 'collection' && { children: children.map(listed) }),
    };
}
export function serializeMembers(rows) {
    const users = rows.map(({ id, name, email, image, role }) => ({
        ...{ _id: id, name, email, ...(image !== null && { image }), role },
    }));
    return { users };
}
export function serializeInvites(rows) {
    const users = rows.map(({ id, email, role, expires_at, created_at }) => ({
        ...{ _id: id, email, role, expires: expires_at.toISOString() },
        createdAt: created_at.toISOString(),
    }));
    return { users };
}
/** Nests rows that come in the order of their positions, below `root` (null: the workspace). */
export function serializeTree(rows, root = null) {
    const top = [];
    const childrenOf = new Map();
    const below = (id) => {
        const known = childrenOf.get(id);
        if (known)
            return known;
        const fresh = [];
        childrenOf.set(id, fresh);
        return fresh;
    };
    for (const row of rows) {
        const item = listed(row);
        if (row.object === 'collection')
            item.children = below(row.id);
        (row.parent_id === root ? top : below(row.parent_id ?? '')).push(item);
    }
    return top;
}
function listed(row) {
    return {
        id: row.id,
        name: row.name,
        object: row.object,
        ...(row.parent_id !== null && { parent: row.parent_id }),
        team: row.team_id,
        workspace: row.workspace_id,
        meta: { title: row.name, slug: row.slug },
        createdAt: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
    };
}
