import type { Caller } from '../../support/app.js';
import { aTeam, aWorkspace, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, anInvite, someone } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ each: 'team' });

interface Shown {
  ids: string[];
  /** Path and query of the next page. */
  next: string | undefined;
}

async function page(caller: Caller, path: string): Promise<Shown> {
  const { body, headers } = await caller.get(path).expect(200);
  const link = /^<http:\/\/localhost:3000(\/[^>]*)>; rel="next"$/.exec(headers.link ?? '');
  expect(link === null).toBe(headers.link === undefined);
  const ids = (body.users as { _id: string }[]).map(({ _id }) => _id);
  return { ids, next: link?.[1] };
}

/** The pages of a list, to its end. */
async function pages(caller: Caller, path: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const shown: Shown = await page(caller, next);
    found.push(shown.ids);
    next = shown.next;
  }
  return found;
}

/** Lists of three, and who reads them. */
async function lists(): Promise<[name: string, caller: Caller, path: string][]> {
  const { path } = await aWorkspace(at.ada, at.team);
  const people = [await aMember(at, at.team, 'member'), await aMember(at, at.team, 'guest')];
  const body = people.map(({ person }) => ({ email: person.email, role: 'reader' }));
  await ok(at.ada.post(`${path}/members`, body));
  const bob = await someone(at, 'Bob');
  const elsewhere = [at.team, await aTeam(at.ada), await aTeam(at.ada)];
  for (const slug of elsewhere) await anInvite(at.ada, slug, bob.person.email);
  const invites = [1, 2].map((i) => ({ email: `${i}-${at.team}@example.com`, role: 'guest' }));
  await ok(at.ada.post(`/teams/${at.team}/invites`, { invites }));
  return [
    ['getTeamMembers', at.ada, `/teams/${at.team}/members`],
    ['getTeamInvites', at.ada, `/teams/${at.team}/invites`],
    ['getWorkspaceMembers', at.ada, `${path}/members`],
    ['getMyInvites', bob, '/invites'],
  ];
}

test('200: with limit a list comes in pages, in its order; without it is complete', async () => {
  for (const [name, caller, path] of await lists()) {
    const [all = []] = await pages(caller, path);
    expect([name, all.length]).toEqual([name, 3]);
    expect(await pages(caller, `${path}?limit=2`)).toEqual([all.slice(0, 2), all.slice(2)]);
    expect(await pages(caller, `${path}?limit=3`)).toEqual([all]);
    expect(await pages(caller, `${path}?limit=1000`)).toEqual([all]);
  }
});

test('200: a page goes on behind the same place when its last element is gone', async () => {
  const path = `/teams/${at.team}/members`;
  const people = [at.ada];
  for (let i = 0; i < 2; i++) people.push(await aMember(at, at.team, 'member'));
  const ids = people.map(({ id }) => id);
  const first = await page(at.ada, `${path}?limit=2`);
  expect(first.ids).toEqual(ids.slice(0, 2));
  await ok(at.ada.delete(path, { userId: ids[1] }));
  expect((await page(at.ada, first.next as string)).ids).toEqual(ids.slice(2));
});

test('200: nobody is left out or shown twice who joined in the same moment', async () => {
  for (let i = 0; i < 5; i++) await aMember(at, at.team, 'guest');
  await sql(at.databaseUrl, 'UPDATE team_members SET joined_at = now()');
  const path = `/teams/${at.team}/members`;
  const [all] = await pages(at.ada, path);
  expect((await pages(at.ada, `${path}?limit=2`)).flat()).toEqual(all);
});

test('200: the link keeps the rest of the query', async () => {
  const { body } = await at.ada.get(`/teams/${at.team}`);
  await aMember(at, at.team, 'member');
  const { next } = await page(at.ada, `/teams/${at.team}/members?limit=1&teamId=${body._id}`);
  expect(next).toMatch(
    new RegExp(`^/teams/${at.team}/members\\?limit=1&teamId=${body._id}&cursor=`),
  );
});

test('400 for a bad limit or cursor', async () => {
  const wrong = await offenders(
    [
      ['limit=0', 'limit must be a whole number from 1 to 1000'],
      ['limit=1001', 'limit must be a whole number from 1 to 1000'],
      ['limit=x', 'limit must be a whole number from 1 to 1000'],
      ['limit=1&limit=2', 'limit must be given once'],
      ['cursor=', 'cursor must be at least 1 character'],
      ['cursor=nonsense', 'cursor must be one that a Link header gave'],
      [
        `cursor=${Buffer.from('1 x').toString('base64url')}`,
        'cursor must be one that a Link header',
      ],
    ],
    async ([query, says]) => {
      const { path } = await aWorkspace(at.ada, at.team);
      const paths = [
        `/teams/${at.team}/members`,
        `/teams/${at.team}/invites`,
        `${path}/members`,
        '/invites',
      ];
      for (const list of paths) {
        const { status, body } = await at.ada.get(`${list}?${query}`);
        expect([status, body]).toEqual([400, error('bad_request', says)]);
      }
    },
  );
  expect(wrong).toEqual([]);
});
