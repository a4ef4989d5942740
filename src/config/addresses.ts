import { isIP } from 'node:net';
import { z } from 'zod';

// Formats of addresses. A message follows the variable's name; none repeats the URL of a server, which may
// hold a password.

/** An address on the web, as it was written. */
export const webUrl = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
    error: 'must be a URL that starts with http:// or https://',
  });

/** The address that links begin with. */
export const baseUrl = webUrl.refine((text) => !/[?#]/.test(text), {
  error: 'must not have a query or a fragment: links begin with it',
});

/**
 * The address of a server that may want a password, as it was written.
 * @param example what messages show
 * @param protocols such as `redis`
 */
export function serverUrl(example: string, ...protocols: string[]) {
  const starts = protocols.map((protocol) => `${protocol}://`);
  return z
    .string()
    .refine((text) => starts.some((start) => text.toLowerCase().startsWith(start)), {
      error: `must be a URL that starts with ${starts.join(' or ')}, such as ${example}`,
      abort: true,
    })
    .refine((text) => URL.canParse(text) && !hasUnencodedPassword(text), {
      error: `must be a URL such as ${example}, with #, /, ? and % of a name or a password written as %23, %2F, %3F and %25`,
      abort: true,
    });
}

/**
 * Whether a URL is read in another way than it was meant: what follows the sign in the password would
 * be the path, the query or the fragment, which the address of a server does not have, and what stands
 * before it the host.
 */
function hasUnencodedPassword(url: string): boolean {
  const [path = '', query = ''] = url.slice(url.indexOf('://') + 3).split(/\?(.*)/s);
  const isPassword = /^[^=]*@/.test(query) || /\/.*@/s.test(path);
  return isPassword || url.includes('#') || !isDecodable(url);
}

/** A % that begins no code means itself, as to node-postgres. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** The database. To Prisma, `schema` names a schema; to node-postgres it means nothing. */
export const databaseUrl = serverUrl(
  'postgresql://user:password@host:5432/database',
  'postgres',
  'postgresql',
).refine((text) => ['public', '', null].includes(new URL(text).searchParams.get('schema')), {
  error:
    'must not name a schema (?schema=…): the tables are always in the schema public of the database',
});

/** What a browser sends as Origin, or `*`. */
export const origin = z
  .string()
  .refine((text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text), {
    error: ({ input }) => `must be origins such as https://app.example.com, not "${input}"`,
  });

/** A number of hops, or addresses and CIDR blocks as one text. */
export const proxies = z
  .string()
  .superRefine((text, context) => {
    const wrong = /^\d{1,2}$/.test(text)
      ? undefined
      : text.split(',').find((part) => !isNetwork(part));
    if (wrong === undefined) return;
    context.addIssue(
      `must be a number of hops, or addresses and CIDR blocks, not "${wrong.trim()}"`,
    );
  })
  .transform((text): number | string | false => (/^\d+$/.test(text) ? Number(text) : text));

/** A name, `*.` before a name for those below it, an address or a CIDR block. */
export const allowedHost = z
  .string()
  .refine((host) => isNetwork(host) || /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(host), {
    error: ({ input }) =>
      `must be names, addresses and CIDR blocks, without a scheme or a port, not "${input}"`,
  });

/** True for an address, alone or with the length of its prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (prefix === undefined) return bits > 0;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}
