/** An item, with its content if the statement has read it. */
export const toItem = (row, teamId) => ({
    id: row.id,
    teamId,
    workspaceId: row.workspace_id,
    parentId: row.parent_id,
    object: row.object,
    name: row.name,
    slug: row.slug,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    content: row.content ?? null,
});
//# sourceMappingURL=item-row.js.map