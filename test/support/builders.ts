import type { Caller } from './app.js';

let made = 0;

/** A slug that no other test uses. */
export const freshSlug = (): string =>
  `t-${(++made).toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/** The body of a response that must be 200. */
export async function ok<Body = Record<string, never>>(
  response: PromiseLike<{ status: number; text: string; body: unknown }>,
): Promise<Body> {
  const { status, text, body } = await response;
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`);
  return body as Body;
}

export interface TeamBody {
  _id: string;
  meta: { slug: string };
  usage: { pages: number; users: number; workspaces: number };
  inviteCode: string;
  updatedAt: string;
}

export interface ItemBody {
  id: string;
  name: string;
  object: 'collection' | 'item';
  parent?: string;
  key?: string;
  children?: ItemBody[];
  meta: { title: string; slug: string };
}

/** A team of the caller's; returns its slug. */
export async function aTeam(caller: Caller): Promise<string> {
  const slug = freshSlug();
  await ok(caller.post('/teams', { name: 'Team', slug }));
  return slug;
}

/** A workspace in `team`; returns its path and the query that names it. */
export async function aWorkspace(caller: Caller, team: string, body: object = {}) {
  const workspace = await ok<{ _id: string; meta: { slug: string } }>(
    caller.post(`/teams/${team}/workspaces`, { name: 'Workspace', ...body }),
  );
  const { slug } = workspace.meta;
  return {
    id: workspace._id,
    slug,
    path: `/teams/${team}/workspaces/${slug}`,
    query: `?team_slug=${team}&workspace_slug=${slug}`,
  };
}

/** A collection, or with `object: 'item'` a page. */
export const anItem = (caller: Caller, query: string, body: object = {}): Promise<ItemBody> =>
  ok<ItemBody>(caller.post(`/collections${query}`, body));

/** The whole tree. */
export const theTree = (caller: Caller, query: string): Promise<ItemBody[]> =>
  ok<ItemBody[]>(caller.get(`/collections${query}`));
