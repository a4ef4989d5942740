import leven from 'leven';
import { createClient } from 'teamspaces-client';
import { WorkspaceNotFoundError } from 'teamspaces-markdown';
const NAMED = 3;
/**
 * Runs `work` on a workspace; if the service does not find it, suggests the nearest slugs.
 * @throws what `work` throws, or an Error that names the nearest slugs
 */
export async function withNearestSlugs(target, work) {
    try {
        return await work();
    }
    catch (error) {
        if (!(error instanceof WorkspaceNotFoundError))
            throw error;
        const explained = await explain(target).catch(() => null);
        throw explained === null ? error : new Error(explained);
    }
}
/** A sentence that names what is missing, the team or the workspace; null: neither. */
async function explain({ url, token, team, workspace }) {
    const api = createClient({ baseUrl: url, token, retry: { attempts: 1 } });
    const teams = (await api.GET('/teams')).map(({ meta }) => meta.slug);
    if (!teams.includes(team)) {
        return `There is no team "${team}" that this token may see${alternatives(team, teams)}`;
    }
    const workspaces = (await api.GET('/teams/{team_slug}/workspaces', { params: { path: { team_slug: team } } })).map(({ meta }) => meta.slug);
    if (workspaces.includes(workspace))
        return null;
    return `There is no workspace "${workspace}" in ${team} that this token may see${alternatives(workspace, workspaces)}`;
}
/** The end of such a sentence. */
function alternatives(given, known) {
    if (known.length === 0)
        return ': there is none.';
    const near = known
        .map((slug) => ({ slug, distance: leven(given, slug) }))
        .filter(({ slug, distance }) => distance <= Math.max(2, slug.length / 3))
        .sort((a, b) => a.distance - b.distance)
        .map(({ slug }) => slug);
    if (near.length > 0)
        return `. Did you mean ${inWords(near)}?`;
    return `: there is ${inWords(known)}.`;
}
/** `a, b or c`; at most three. */
const inWords = (slugs) => slugs
    .slice(0, NAMED)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
//# sourceMappingURL=nearest-slugs.js.map