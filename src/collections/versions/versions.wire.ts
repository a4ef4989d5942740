import { hash } from 'node:crypto';
import { notFound } from '../../errors/domain-error.js';
import { cursorCodec } from '../../http/pagination.js';
import { isoTime } from '../../http/record.wire.js';
import { Property, Schema, Time } from '../../openapi/property.js';
import { MAX_VERSION } from '../items/collection.js';
import type { PageVersion } from './versions.repository.js';

@Schema('Who wrote it.')
export class WrittenByResponse {
  @Property('Id of the user.') _id!: string;
  @Property('Name.') name!: string;
}

@Schema('What a page was before a write of its content.')
export class PageVersionResponse {
  @Property('Number of the version: newer ones have larger numbers, not without gaps.', {
    type: 'integer',
    minimum: 1,
  })
  version!: number;

  @Time('When its first save was', 'Further saves of the same person are part of it.')
  since!: string;

  @Time('When it was overwritten') until!: string;

  @Property('Who wrote it; null if that is not known.', { type: WrittenByResponse, nullable: true })
  by!: WrittenByResponse | null;

  @Property('Size of its content as JSON, in bytes.', { type: 'integer' }) bytes!: number;
}

@Schema('A version of a page with its content.')
export class PageVersionWithContentResponse extends PageVersionResponse {
  @Property('What the content of the page was.', { type: 'object', additionalProperties: true })
  content!: object;
}

export const serializeVersion = ({
  version,
  since,
  until,
  by,
  bytes,
}: PageVersion): PageVersionResponse => ({
  version,
  since: isoTime(since),
  until: isoTime(until),
  by: by && { _id: by.id, name: by.name },
  bytes,
});

/** The content is put in as the text that the database holds: see openItem(). */
export const serializeVersionWithContent = (version: PageVersion & { content: string }): string =>
  `${JSON.stringify(serializeVersion(version)).slice(0, -1)},"content":${version.content}}`;

/** The strong ETag of a version, which never changes. */
export const versionEtagOf = (id: string, { version }: PageVersion): string =>
  `"${hash('sha256', `version:${id}:${version}`)}"`;

/** @throws DomainError not_found: there is no such version of any page */
export function toVersionNumber(text: string): number {
  const version = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  if (version < 1 || version > MAX_VERSION) throw notFound('version');
  return version;
}

/** Where a list of versions continues: before this one. */
export const VERSION_CURSOR = cursorCodec<number>(
  /^version (\d{1,10})$/,
  (version) => ['version', version],
  (version) => (Number(version) <= MAX_VERSION ? Number(version) : null),
);
