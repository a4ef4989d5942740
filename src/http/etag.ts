import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { stale } from '../errors/domain-error.js';

// Strong ETags, and the headers that compare them. A tag has up to three parts: `"<own>-<shown>.<around>"`. `own` is
// what a write of the record changes, `shown` what else the response shows of it, `around` what it is in.
// `shown` is zeros where a response leaves out what there is to show: such a tag stands for the own part alone.

/** Request headers of records with settings. */
export const IF_SETTINGS_MATCH = {
  name: 'If-Match',
  required: false,
  description:
    'ETag from an earlier response; 409 if the settings have changed since. Counters, `version` and the role of the caller do not count.',
};
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  required: false,
  description: 'ETag from an earlier response; 304 while it is current.',
};

const digest = (text: string): string => hash('sha256', text);

/**
 * The ETag of a record with settings: of all that its response shows.
 * @param settings what `If-Match` compares, its members always in one order
 * @param text the response, JSON
 */
export const recordEtagOf = (settings: object, text: string): string =>
  `"${settingsPart(settings)}-${digest(text)}"`;

const NOTHING_SHOWN = '0'.repeat(64);

/**
 * The ETag of an item with its direct children: it changes with every change of any of them, and with their
 * order. Versions stand for contents, so that no content is read for it.
 * @param childVersions `;id:version` of each child, in order; '' on a page; null: the response leaves them out
 * @param ancestors where the response shows them
 */
export const etagOf = (
  { id, version }: { id: string; version: number },
  childVersions: string | null,
  ancestors?: readonly object[],
): string => {
  const own = digest(`${id}:${version}`);
  const shown = childVersions === null ? NOTHING_SHOWN : digest(childVersions);
  const ofItem = childVersions === '' ? own : `${own}-${shown}`;
  return ancestors ? `"${ofItem}.${digest(JSON.stringify(ancestors))}"` : `"${ofItem}"`;
};

/** The query of a plain list: the whole tree. */
const PLAIN_LIST = { parentId: null, withContent: false };

/** The ETag of a list: of this very query, in this very state of the tree. */
export const listEtagOf = (treeStamp: string, query: object = PLAIN_LIST): string =>
  `"${digest(treeStamp + JSON.stringify(query))}"`;

/** Sends a record with settings under its ETag. @returns its JSON text; undefined: the caller has it, hence 304 */
export function respondWithRecord(
  reply: FastifyReply,
  ifNoneMatch: string | undefined,
  settings: object,
  shown: object,
): string | undefined {
  const text = JSON.stringify(shown);
  const etag = recordEtagOf(settings, text);
  return withEtag(reply, etag, matchesWhole(ifNoneMatch, etag) ? null : text);
}

/** `If-Match` on a record with settings. @throws DomainError conflict: they are not what the caller has seen */
export function assertSettings(
  what: 'team' | 'workspace',
  ifMatch: string | undefined,
  settings: object,
): void {
  const own = `"${settingsPart(settings)}"`;
  if (ifMatch !== undefined && !matchesOwn(ifMatch, own)) throw stale(what);
}

const settingsPart = (settings: object): string => digest(JSON.stringify(settings));

/** Sends a body under its ETag. @param body null: the caller has it, hence 304 */
export function withEtag<Body>(
  reply: FastifyReply,
  etag: string,
  body: Body | null,
): Body | undefined {
  reply.header('etag', etag);
  if (body === null) reply.status(304);
  return body ?? undefined;
}

/**
 * `If-Match`; `*` matches whatever exists. A write replaces the item and not what it is in: of a tag that covers
 * that, it does not count. Of a tag that stands for the own part alone, that is compared.
 * @param etag without what it is in
 */
export function matches(header: string, etag: string): boolean {
  const ofOwnPart = etag.replace(OTHER_PARTS, `-${NOTHING_SHOWN}"`);
  return tags(header).some((tag) => {
    const ofItem = tag.replace(/\.[0-9a-f]{64}"$/, '"');
    return tag === '*' || ofItem === etag || ofItem === ofOwnPart;
  });
}

/** The same, but only the own part of a tag counts. @param own a tag of nothing else */
export const matchesOwn = (header: string, own: string): boolean =>
  tags(header).some((tag) => tag === '*' || tag.replace(OTHER_PARTS, '"') === own);
const OTHER_PARTS = /(?:-[0-9a-f]{64})?(?:\.[0-9a-f]{64})?"$/;

/** `If-None-Match`, which may be absent: all parts of a tag count. */
export const matchesWhole = (header: string | undefined, etag: string): boolean =>
  tags(header ?? '').some((tag) => tag === '*' || tag === etag);

/**
 * The tags that a header lists, each also as it was before a proxy compressed the response: without `W/`, and without
 * the suffix of an encoding (decisions 7.5). The tags of records name versions, not bytes: a weak one says as much.
 */
const tags = (header: string): string[] =>
  header.split(',').flatMap((listed) => {
    const tag = listed.trim();
    const strong = tag.replace(/^W\/(?=")/, '');
    return [tag, strong, strong.replace(ENCODING, '"')];
  });
const ENCODING = /(?:--?|[;:])(?:gzip|br|zstd|deflate)"$/;
