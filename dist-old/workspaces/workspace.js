import { randomUUID } from 'node:crypto';
import { effectiveAccess } from '../access/decide.js';
import { onWorkspace } from '../audit/audit-entry.js';
import { newId } from '../database/ids.js';
import { conflict } from '../errors/domain-error.js';
/** A workspace that is about to be written. */
export function newWorkspace({ id: teamId, plan }, slug, given) {
    const { name, description = '', visibility = 'public', defaultAccess = 'full' } = given;
    const now = new Date();
    return {
        id: newId(),
        teamId,
        plan,
        slug,
        name,
        description,
        visibility,
        defaultAccess,
        treeStamp: randomUUID(),
        rebalances: 0,
        createdAt: now,
        updatedAt: now,
    };
}
/** The access to the content of a caller who can see the workspace. */
export const accessIn = (context) => effectiveAccess(context) === 'full' ? 'full' : 'read-only';
/** The workspace as a caller sees it who may. */
export const asSeenIn = ({ record, context }) => ({
    ...record,
    access: accessIn(context),
});
/**
 * What the audit log says of an update: nothing of what it left as it was. Whoever makes a workspace
 * private is an editor of it then.
 */
export function updateEntries({ record: before, context }, after) {
    const about = onWorkspace(after);
    const changeOf = (key) => before[key] === after[key] ? undefined : { from: before[key], to: after[key] };
    const fields = ['name', 'description', 'slug', 'defaultAccess'].filter(changeOf);
    const entries = [];
    if (fields.length > 0) {
        const slug = changeOf('slug');
        const defaultAccess = changeOf('defaultAccess');
        const details = { fields, ...(slug && { slug }), ...(defaultAccess && { defaultAccess }) };
        entries.push({ action: 'workspace.updated', ...about, details });
    }
    if (changeOf('visibility') && after.visibility === 'public') {
        entries.push({ action: 'workspace.made_public', ...about, details: {} });
    }
    if (changeOf('visibility') && after.visibility === 'private') {
        const role = context.workspaceRole ?? 'none';
        const details = { ...(role !== 'editor' && { editor: role }) };
        entries.push({ action: 'workspace.made_private', ...about, details });
    }
    return entries;
}
export const slugTakenInTeam = (slug) => conflict(`slug ${slug} is already taken in this team: choose another one`);
//# sourceMappingURL=workspace.js.map