import { hash } from 'node:crypto';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { notFound } from '../../errors/domain-error.js';
import { cursorCodec } from '../../http/pagination.js';
import { isoTime, Time } from '../../http/record.wire.js';
import { MAX_VERSION } from '../items/collection.js';
import type { PageVersion } from './versions.repository.js';

@ApiSchema({ name: 'WrittenBy', description: 'Who wrote it.' })
export class WrittenByResponse {
  @ApiProperty({ description: 'Id of the user.' })
  _id!: string;

  @ApiProperty({ description: 'Name.' })
  name!: string;
}

@ApiSchema({ name: 'PageVersion', description: 'What a page was before a write of its content.' })
export class PageVersionResponse {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Number of the version: newer ones have larger numbers, not without gaps.',
  })
  version!: number;

  @Time('When its first save was', 'Further saves of the same person are part of it.')
  since!: string;

  @Time('When it was overwritten')
  until!: string;

  @ApiProperty({
    type: WrittenByResponse,
    nullable: true,
    description: 'Who wrote it; null if that is not known.',
  })
  by!: WrittenByResponse | null;

  @ApiProperty({ type: 'integer', description: 'Size of its content as JSON, in bytes.' })
  bytes!: number;
}

@ApiSchema({ name: 'PageVersionWithContent', description: 'A version of a page with its content.' })
export class PageVersionWithContentResponse extends PageVersionResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: true,
    description: 'What the content of the page was.',
  })
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
