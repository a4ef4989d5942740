import { type DemoPerson, PEOPLE, TEAMS } from './organisation.js';

type Name = keyof typeof PEOPLE;

interface Call {
  /** What the call shows. */
  shows: string;
  who: Name;
  path: string;
  body?: object;
}

const HANDBOOK = '/teams/lumen-bikes/workspaces/handbook';
const PRODUCT = '/teams/lumen-bikes/workspaces/product';

const CALLS: readonly Call[] = [
  {
    shows: 'the teams of Ada, with her role, what they use and what their plan allows',
    who: 'ADA',
    path: '/teams',
  },
  { shows: 'the people of a team and their roles', who: 'BEN', path: '/teams/lumen-bikes/members' },
  {
    shows: 'Emma is a guest: she sees the one workspace that she was let into',
    who: 'EMMA',
    path: '/teams/lumen-bikes/workspaces',
  },
  {
    shows: 'the whole tree of the handbook, in order',
    who: 'EMMA',
    path: `${HANDBOOK}/collections`,
  },
  {
    shows: 'one page, found by its slug',
    who: 'CLEO',
    path: `${HANDBOOK}/collections/by-slug/holidays`,
  },
  {
    shows: 'Cleo writes a page to Product, where every member writes',
    who: 'CLEO',
    path: `${PRODUCT}/collections`,
    body: { name: 'From a terminal', object: 'item', content: { markdown: 'Hello!' } },
  },
  {
    shows: 'the private workspace Leadership is not there for Cleo: 404, and what the error says',
    who: 'CLEO',
    path: '/teams/lumen-bikes/workspaces/leadership',
  },
  { shows: 'the invites of Farid, which wait to be accepted', who: 'FARID', path: '/invites' },
];

/** Who there is, their tokens, and calls that run as they are printed, in the same terminal. */
export function whatToTry(
  url: string,
  tokens: ReadonlyMap<DemoPerson, string>,
  days: number,
): string {
  const people = Object.entries(PEOPLE) as [Name, DemoPerson][];
  return [
    '',
    'The people:',
    '',
    ...people.map(([, person]) => `  ${person.name.padEnd(6)} ${rolesOf(person)}`),
    '',
    `Their tokens, for ${days} days. Paste these lines into a terminal:`,
    '',
    ...people.map(([name, person]) => `${name}=${tokens.get(person)}`),
    '',
    'Then try, in the same terminal:',
    '',
    ...CALLS.flatMap((call) => [`# ${call.shows}`, curl(url, call)]),
    '',
    `Or open ${url}/docs: Ada's token is filled in there, where the service made its own secret.`,
  ].join('\n');
}

function curl(url: string, { who, path, body }: Call): string {
  const data = body ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : '';
  return `curl -s -w '\\n' -H "Authorization: Bearer $${who}"${data} '${url}${path}'`;
}

/** `owner of Lumen Bikes; guest in Lumen Foundation` */
function rolesOf(person: DemoPerson): string {
  return TEAMS.flatMap(({ name, owner, members, invites }) => {
    if (owner === person) return [`owner of ${name}`];
    const member = members.find((other) => other.person === person);
    if (member) return [`${member.role} in ${name}`];
    const invite = invites.find(({ email }) => email === person.email);
    return invite ? [`invited to ${name} as ${invite.role}`] : [];
  }).join('; ');
}
