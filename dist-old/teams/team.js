import { randomBytes } from 'node:crypto';
import { decideTeam } from '../access/decide.js';
import { onTeam } from '../audit/audit-entry.js';
import { DEFAULT_PLAN_LIMITS, } from '../config/plan-limits.js';
import { newId } from '../database/ids.js';
import { badRequest, conflict, forbidden } from '../errors/domain-error.js';
/**
 * The team as this caller may see it: its invite code is for moderators and above, unless the scopes
 * of the token narrow them.
 */
export function asSeenBy({ mayManage }, team) {
    const seesInviteCode = mayManage && decideTeam('team.readInviteCode', team.role) === 'allow';
    return seesInviteCode ? team : { ...team, inviteCode: '' };
}
/** 24 characters, 144 bits, from a cryptographic source. */
export const newInviteCode = () => randomBytes(18).toString('base64url');
/** A team that is about to be written, as its owner has it. */
export function newTeam({ name, slug, description = null }, limits) {
    const now = new Date();
    return {
        id: newId(),
        slug,
        name,
        description,
        logo: null,
        plan: 'free',
        inviteCode: newInviteCode(),
        billingCycleStart: now,
        usage: { pages: 0, users: 1, workspaces: 0 },
        limit: limits.free,
        createdAt: now,
        updatedAt: now,
        role: 'owner',
    };
}
/** What the audit log says of an update: nothing of what it left as it was. */
export function updateEntries(before, after) {
    const fields = ['name', 'description'].filter((key) => before[key] !== after[key]);
    const about = onTeam(after);
    const slug = { from: before.slug, to: after.slug };
    return [
        ...(fields.length > 0
            ? [{ action: 'team.updated', ...about, details: { fields } }]
            : []),
        ...(slug.from !== slug.to
            ? [{ action: 'team.slug_changed', ...about, details: slug }]
            : []),
    ];
}
/** `teamId` and `team_slug` contradict each other. */
export const otherTeam = () => badRequest('teamId must be the id of the team that team_slug names');
export const slugTaken = (slug) => conflict(`slug ${slug} is already taken: choose another one`);
/** A team as examples of errors have it. */
export const ON_FREE_PLAN = { plan: 'free', limit: DEFAULT_PLAN_LIMITS.free };
/** The refusal of growth past a plan's limit; its message names the limit. */
export const limitReached = ({ plan, limit }, resource) => {
    // As many collections as pages, counted by themselves.
    const field = resource === 'collections' ? 'pages' : resource;
    return forbidden(`the ${plan} plan's limit of ${limit[field]} ${resource} (limit.${field}) is reached: remove some ${resource} or change the plan`);
};
//# sourceMappingURL=team.js.map