import jwt from 'jsonwebtoken';
import { SECRET, type TestService } from '../../support/app.js';
import type { ResponseHead } from '../../support/open-api.js';
import { sql } from '../../support/sql.js';

/** Who asks; `stranger` is in no team, `unverified` may not act on their email. */
export type Name = 'ada' | 'mia' | 'max' | 'gus' | 'stranger' | 'unverified';

/** A token of somebody, with claims of one's own. */
export const tokenOf = (name: string, claims: object = {}): string => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  return jwt.sign({ sub: name, email: `${name}@example.com`, name, exp, ...claims }, SECRET);
};

export interface Request {
  /** `POST /teams` */
  route: string;
  as?: Name | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An error as its caller reads it. */
export interface Heard {
  status: number;
  code: string;
  message: string;
  /** undefined: the response was read elsewhere. */
  head?: ResponseHead;
}

type Send = <Body>(request: Request) => Promise<Body>;

/** Records a response; errors are kept. */
export class Listener {
  readonly heard: Heard[] = [];

  constructor(private readonly service: TestService) {}

  /** @returns the body of the response */
  readonly send: Send = async ({ route, as = 'ada', body, headers = {} }) => {
    const [method = '', path = ''] = route.split(' ');
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await fetch(this.service.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as && {
          authorization: `Bearer ${tokenOf(as, as === 'unverified' ? { email_verified: false } : {})}`,
        }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const { status } = response;
    const head = { method, path, status, headers: [...response.headers.keys()] };
    return this.keep(status, await response.text(), head);
  };

  /** The same for a response that was read elsewhere. */
  keep<Body>(status: number, text: string, head?: ResponseHead): Body {
    const body = text ? JSON.parse(text) : {};
    if (body.error) this.heard.push({ status, ...body.error, head });
    return body;
  }
}

/** The data of all causes: a team with all roles, two workspaces, a small tree. */
export interface World {
  databaseUrl: string;
  url: string;
  send: Send;
  /** `?team_slug=acme&workspace_slug=handbook` */
  at: string;
  ids: Record<Name | 'guides' | 'page' | 'team', string>;
}

const HANDBOOK = '?team_slug=acme&workspace_slug=handbook';

export async function aWorld(service: TestService, { send }: Listener): Promise<World> {
  const ids = {} as World['ids'];
  for (const as of ['ada', 'mia', 'max', 'gus', 'stranger', 'unverified'] as const) {
    ids[as] = (await send<{ _id: string }>({ route: 'GET /me', as }))._id;
  }
  const made = async (route: string, body: unknown) =>
    send<{ _id: string; id: string }>({ route: `POST ${route}`, body });
  ids.team = (await made('/teams', { name: 'Acme', slug: 'acme' }))._id;
  const roles = { mia: 'moderator', max: 'member', gus: 'guest' } as const;
  for (const [name, role] of Object.entries(roles)) {
    const invites = [{ email: `${name}@example.com`, role }];
    const { users } = await send<{ users: { _id: string }[] }>({
      route: 'POST /teams/acme/invites',
      body: { invites },
    });
    await send({ route: `POST /invites/${users[0]?._id}/accept`, as: name as Name });
  }
  await made('/teams/acme/workspaces', { name: 'Handbook', defaultAccess: 'read-only' });
  await made('/teams/acme/workspaces', { name: 'Secret', visibility: 'private' });
  ids.guides = (await made(`/collections${HANDBOOK}`, { name: 'Guides' })).id;
  ids.page = (
    await made(`/collections${HANDBOOK}`, { name: 'Page', object: 'item', parent: ids.guides })
  ).id;
  return { databaseUrl: service.databaseUrl, url: service.url, send, at: HANDBOOK, ids };
}

/** Changes what no request can: the plan's clock, the identity provider's word. */
export const change = ({ databaseUrl }: World, text: string, values: unknown[] = []) =>
  sql(databaseUrl, text, values);
