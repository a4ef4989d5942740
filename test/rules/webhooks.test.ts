import { Webhook } from 'standardwebhooks';
import { AllowedHosts, isPublic } from '../../src/webhooks/attempts/addresses.js';
import { pauseAfter, retryAfterOf } from '../../src/webhooks/delivery/retry-schedule.js';
import { secretOf, signedHeaders } from '../../src/webhooks/delivery/signatures.js';

const KEY = 'a key that is thirty-two bytes long, or more';
const NOW = Date.UTC(2026, 0, 1);

describe('addresses', () => {
  test.each([
    ['8.8.8.8', true],
    ['1.1.1.1', true],
    ['0.0.0.0', false],
    ['10.1.2.3', false],
    ['100.64.0.1', false],
    ['127.0.0.1', false],
    ['127.255.255.254', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.32.0.1', true],
    ['192.0.0.8', false],
    ['192.88.99.1', false],
    ['192.168.1.1', false],
    ['198.18.0.1', false],
    ['203.0.113.9', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['2606:4700:4700::1111', true],
    ['2a00:1450:4001:80b::200e', true],
    ['::', false],
    ['::1', false],
    // As net.BlockList does not see by itself.
    ['::10.0.0.1', false],
    ['::8.8.8.8', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:8.8.8.8', false],
    ['::ffff:0:127.0.0.1', false],
    ['64:ff9b::8.8.8.8', false],
    ['64:ff9b:1::a00:1', false],
    ['100::1', false],
    ['2001::1', false],
    ['2001:db8::1', false],
    ['2002:a00:1::', false],
    ['3fff::1', false],
    ['5f00::1', false],
    ['fc00::1', false],
    ['fd00:ec2::254', false],
    ['fe80::1', false],
    ['fec0::1', false],
    ['ff02::1', false],
  ])('%s: public %s', (address, expected) => {
    expect(isPublic(address)).toBe(expected);
  });

  /** The first and the last address of each network, and what is next to them and public. */
  test.each([
    ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '239.255.255.255', '223.255.255.255'],
    ['240.0.0.0', '255.255.255.255'],
    ['::', '1fff:ffff::', '2000::'],
    ['2001::', '2001:1ff:ffff::', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::'],
    ['2002::', '2002:ffff::', '2003::'],
    ['3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
    ['4000::', 'ffff:ffff::', '3fff:ffff::'],
  ])('%s to %s is not public, what is next to it is', (first, last, ...outside) => {
    expect([first, last].filter(isPublic)).toEqual([]);
    expect(outside.filter((address) => !isPublic(address))).toEqual([]);
  });

  test.each([
    ['https://example.com/hooks', null],
    ['https://example.com:8443/hooks?token=1', null],
    // A name: what it resolves to is looked at when it is called.
    ['https://localhost/', null],
    ['https://8.8.8.8/', null],
    ['example.com', 'malformed'],
    ['https://', 'malformed'],
    ['http://example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['https://user@example.com/', 'credentials'],
    ['https://:secret@example.com/', 'credentials'],
    ['https://127.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0x7f.0.0.1/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://１２７.0.0.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://%31%30.0.0.1/', 'address'],
    ['https://169。254。169。254/', 'address'],
    ['https:10.0.0.1', 'address'],
    ['https://10.0.0.1:443@example.com/', 'credentials'],
    ['https://example.com\\@8.8.8.8/', null],
    ['https://[fe80::1%25en0]/', 'malformed'],
    ['https://[::1]/', 'address'],
    ['https://[::ffff:7f00:1]/', 'address'],
    ['https://[64:ff9b::7f00:1]/', 'address'],
  ])('the text of %s: %s', (url, problem) => {
    expect(new AllowedHosts([]).problemOf(url)).toBe(problem);
  });

  test('names and networks that the operator allows are open, for http, too', () => {
    const hosts = new AllowedHosts(['Receiver', '*.mesh.internal', '10.1.0.0/16', 'fd00::/8']);
    for (const url of [
      'http://receiver/',
      'http://a.b.mesh.internal/',
      'http://10.1.2.3/',
      'https://10.1.2.3/',
      'http://[fd00::1]/',
    ]) {
      expect([url, hosts.problemOf(url)]).toEqual([url, null]);
    }
    expect(hosts.problemOf('http://mesh.internal/')).toBe('scheme');
    expect(hosts.problemOf('https://10.2.0.1/')).toBe('address');
    const mayConnect = (url: string, address: string) => hosts.mayConnect(new URL(url), address);
    expect(mayConnect('https://receiver', '127.0.0.1')).toBe(true);
    expect(mayConnect('https://other.example', '10.1.2.3')).toBe(true);
    expect(mayConnect('https://other.example', '10.2.2.3')).toBe(false);
    expect(mayConnect('https://xmesh.internal', '10.2.2.3')).toBe(false);
  });

  test('http reaches nothing else, also after the operator has closed what a URL names', () => {
    const hosts = new AllowedHosts(['Receiver', '10.1.0.0/16']);
    const mayConnect = (url: string, address: string) => hosts.mayConnect(new URL(url), address);
    expect(mayConnect('https://other.example', '8.8.8.8')).toBe(true);
    expect(mayConnect('http://other.example', '8.8.8.8')).toBe(false);
    expect(mayConnect('http://other.example', '10.1.2.3')).toBe(true);
    expect(mayConnect('http://receiver', '8.8.8.8')).toBe(true);
  });
});

describe('signatures', () => {
  const source = { id: 'w1', generation: 1, renewedAt: null };

  test('are those of Standard Webhooks', () => {
    const headers = signedHeaders(KEY, source, 'msg_1', '{"a":1}', Date.now());
    expect(new Webhook(secretOf(KEY, source)).verify('{"a":1}', headers)).toEqual({ a: 1 });
    expect(() => new Webhook(secretOf(KEY, source)).verify('{"a":2}', headers)).toThrow();
  });

  test('a secret depends on the key, the webhook and the generation', () => {
    const secrets = [
      secretOf(KEY, source),
      secretOf(`${KEY}!`, source),
      secretOf(KEY, { ...source, id: 'w2' }),
      secretOf(KEY, { ...source, generation: 2 }),
    ];
    expect(new Set(secrets).size).toBe(4);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  });

  test('for a day after a renewal there are two', () => {
    const renewed = { id: 'w1', generation: 2, renewedAt: new Date(NOW) };
    const countAt = (now: number) =>
      signedHeaders(KEY, renewed, 'm', '', now)['webhook-signature']?.split(' ').length;
    expect([countAt(NOW), countAt(NOW + 86_399_000), countAt(NOW + 86_400_000)]).toEqual([2, 2, 1]);
    const now = Date.now();
    const headers = signedHeaders(KEY, { ...renewed, renewedAt: new Date(now) }, 'm', '{}', now);
    for (const generation of [1, 2]) {
      expect(new Webhook(secretOf(KEY, { ...renewed, generation })).verify('{}', headers)).toEqual(
        {},
      );
    }
  });
});

describe('the schedule', () => {
  const minutes = (value: number) => value * 60_000;
  test.each([
    [1, minutes(5 / 60)],
    [2, minutes(5)],
    [3, minutes(30)],
    [4, minutes(120)],
    [5, minutes(300)],
    [6, minutes(600)],
    [7, minutes(840)],
    [8, minutes(1200)],
    [9, minutes(1440)],
    [40, minutes(1440)],
  ])('after attempt %i: %i ms, and up to a fifth more', (attempts, pause) => {
    const found = Array.from({ length: 20 }, () => pauseAfter(attempts, null));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(pause);
    expect(Math.max(...found)).toBeLessThanOrEqual(pause * 1.2);
    expect(new Set(found).size).toBeGreaterThan(1);
  });

  test('Retry-After counts up to an hour, and not below five seconds', () => {
    expect(pauseAfter(9, 60_000)).toBe(60_000);
    expect(pauseAfter(1, 86_400_000)).toBe(3_600_000);
    expect(pauseAfter(1, 0)).toBe(5_000);
  });

  test.each([
    [undefined, null],
    ['120', 120_000],
    ['soon', null],
    [new Date(NOW + 60_000).toUTCString(), 60_000],
    [new Date(NOW - 60_000).toUTCString(), 0],
  ])('Retry-After: %s', (header, expected) => {
    expect(retryAfterOf(header, NOW)).toBe(expected);
  });
});
