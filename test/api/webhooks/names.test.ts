import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AllowedHosts } from '../../../src/webhooks/attempts/addresses.js';
import { Names, parseHosts, type SystemLookup } from '../../../src/webhooks/attempts/names.js';
import { post } from '../../../src/webhooks/attempts/post.js';
import { aFolder, removeFolders } from '../../support/folders.js';
import { type NameServer, startNameServer } from '../../support/name-server.js';

let server: NameServer;
let hostsFile: string;
beforeAll(async () => {
  const known: Record<string, string[] | null> = {
    'one.example': ['192.0.2.1'],
    'two.example': ['192.0.2.1', '192.0.2.2'],
    'silent.example': null,
  };
  server = await startNameServer((name) => (name in known ? (known[name] ?? null) : []));
  hostsFile = join(await aFolder(), 'hosts');
});
afterAll(async () => {
  server.stop();
  await removeFolders();
});

const allowed = new AllowedHosts(['*.mesh.example']);
const namesOf = (system?: SystemLookup, servers = [server.address]) =>
  new Names(allowed, { hostsFile, servers }, system);

const never = new AbortController().signal;
const by = (makerId: string, teamId = `a team of ${makerId}`) => ({ makerId, teamId });
async function addressesOf(names: Names, hostname: string, end = never) {
  const lookUp = await names.begin(hostname, by('ada'), 1_000);
  const found = await (lookUp?.(end) ?? []);
  return found?.map(({ address }) => address) ?? null;
}

test('a hosts file is what hosts(5) says', () => {
  const hosts = parseHosts(
    [
      '127.0.0.1\tlocalhost Local  # a comment',
      '::1 localhost',
      '  10.0.0.1   db.example.',
      '# 10.0.0.2 commented.example',
      'fe80::1%lo0 scoped.example',
      'nonsense other.example',
      '10.0.0.3',
      '10.0.0.4 twice.example TWICE.example\r',
    ].join('\n'),
  );
  expect(Object.fromEntries(hosts)).toEqual({
    localhost: [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
    local: [{ address: '127.0.0.1', family: 4 }],
    'db.example.': [{ address: '10.0.0.1', family: 4 }],
    'scoped.example': [{ address: 'fe80::1%lo0', family: 6 }],
    'twice.example': [{ address: '10.0.0.4', family: 4 }],
  });
});

test('name servers are asked for all addresses; a name without any has none', async () => {
  expect(await addressesOf(namesOf(), 'two.example')).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(await addressesOf(namesOf(), 'none.example')).toEqual([]);
});

test('the hosts file comes first, and is read again when it has changed', async () => {
  const names = namesOf();
  expect(await addressesOf(names, 'one.example')).toEqual(['192.0.2.1']);
  writeFileSync(hostsFile, '10.0.0.1 one.example');
  expect(await addressesOf(names, 'one.example')).toEqual(['10.0.0.1']);
  expect(await addressesOf(names, 'one.example.')).toEqual(['10.0.0.1']);
  writeFileSync(hostsFile, '10.0.0.2 one.example');
  utimesSync(hostsFile, 1, 1);
  expect(await addressesOf(names, 'one.example')).toEqual(['10.0.0.2']);
  rmSync(hostsFile);
  expect(await addressesOf(names, 'one.example')).toEqual(['192.0.2.1']);
});

test('what is not answered ends with the attempt, and as a timeout', async () => {
  const end = new AbortController();
  const found = addressesOf(namesOf(), 'silent.example', end.signal);
  while (!server.asked.includes('silent.example')) await new Promise(setImmediate);
  end.abort();
  expect(await found).toBeNull();
});

test('a name that the operator allows resolves as the system does', async () => {
  const system: SystemLookup = async (name) => [{ address: `of ${name}`, family: 4 }];
  expect(await addressesOf(namesOf(system), 'a.mesh.example')).toEqual(['of a.mesh.example']);
  expect(await addressesOf(namesOf(system), '192.0.2.9')).toEqual(['192.0.2.9']);
});

/** The system's look-ups, which the test answers. */
function heldLookups() {
  const held = new Map<string, () => void>();
  const system: SystemLookup = (name) =>
    new Promise((resolve) => held.set(name, () => resolve([{ address: '192.0.2.3', family: 4 }])));
  return { held, system };
}

/** Begins a look-up, and does not wait for its end. */
const begin = (names: Names, name: string, maker: string, within = 60_000, end = never) =>
  names.begin(`${name}.mesh.example`, by(maker), within).then((lookUp) => lookUp && [lookUp(end)]);

test('the system looks up two names at once, and one of a maker, by turns', async () => {
  const { held, system } = heldLookups();
  const names = namesOf(system);
  const all = [...['ada', 'ada', 'ada', 'bob', 'eve', 'bob'].entries()].map(([n, maker]) =>
    begin(names, `${maker}-${n}`, maker),
  );
  const order: string[] = [];
  while (order.length < all.length) {
    await new Promise(setImmediate);
    const open = [...held.keys()].filter((name) => !order.includes(name));
    expect(open.length).toBeLessThanOrEqual(2);
    const makers = open.map((name) => name.split('-')[0]);
    expect(new Set(makers).size).toBe(makers.length);
    const [name = ''] = open;
    held.get(name)?.();
    order.push(name);
  }
  // Not first come, first served: Ada's second one comes after Bob's and Eve's first.
  const makers = order.map((name) => name.split('-')[0]);
  expect(makers.indexOf('eve')).toBeLessThan(makers.lastIndexOf('ada'));
  for (const lookUp of await Promise.all(all)) expect(await lookUp?.[0]).toHaveLength(1);
});

test('a look-up that was given up holds its place until it is over; who had no turn in time has failed in nothing', async () => {
  const { held, system } = heldLookups();
  const names = namesOf(system);
  const end = new AbortController();
  const given = await Promise.all(
    ['ada', 'bob'].map((maker) => begin(names, maker, maker, 60_000, end.signal)),
  );
  end.abort();
  for (const lookUp of given) expect(await lookUp?.[0]).toBeNull();
  const message = { url: 'http://eve.mesh.example/', body: '', headers: {}, ...by('eve') };
  const options = { allowed, beginLookup: names.begin };
  expect(await post({ ...message, within: 50 }, options)).toBeNull();
  const later = begin(names, 'eve', 'eve');
  held.get('ada.mesh.example')?.();
  expect(await later).toHaveLength(1);
  expect([...held.keys()]).toContain('eve.mesh.example');
});
