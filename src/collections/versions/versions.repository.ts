import { Inject, Injectable } from '@nestjs/common';
import type { Rows, Statement } from '@teamspaces/pg-lanes/pipelined-transaction';
import { manyRows, point, type ReadStatement } from '@teamspaces/pg-lanes/statements';
import { onItem, recordStatement } from '../../audit/audit-entries.repository.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { forgetContent } from '../../idempotency/idempotency-keys.repository.js';
import { ITEM, versionsOfCollection } from '../errors.js';
import { MAX_VERSION, type ObjectKind, type WorkspaceIds } from '../items/collection.js';
import { DELETE_VERSIONS } from '../subtrees/subtree-statements.js';
import { readSetWith } from '../writer/read-set.js';
import type { SubtreeCommand } from '../writer/tree-commits.js';
import { log } from '../writer/tree-rows.repository.js';
import { find } from '../writer/tree-rules.js';

/** What a page was before a write of its content. */
export interface PageVersion {
  version: number;
  /** From when to when it was the content of the page. */
  since: Date;
  until: Date;
  /** Who wrote it; null: that is not known. */
  by: { id: string; name: string } | null;
  /** Of its content. */
  bytes: number;
}

/** A part of a page's versions, and where the next one begins; null: at the end. */
export interface VersionPage {
  items: PageVersion[];
  next: number | null;
}

/** The page that versions are of, and who asks. */
export interface PageOfCaller extends WorkspaceIds {
  id: string;
  callerId: string;
}

/** A row of LIST or CONTENT; `version` is null where the page has none. */
interface VersionRow extends Omit<PageVersion, 'version' | 'by'> {
  object: ObjectKind;
  version: number | null;
  authorId: string | null;
  authorName: string | null;
  content?: string;
}

/** Reads of the versions of pages. One that has expired is as good as gone. */
@Injectable()
export class VersionsRepository {
  private readonly ttlSeconds: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.ttlSeconds = config.versionsTtlSeconds;
  }

  /**
   * The versions of a page, newest first: those before `before`.
   * @throws DomainError not_found: the page; unprocessable_entity: it is a collection
   */
  async list(page: PageOfCaller, limit?: number, before = MAX_VERSION): Promise<VersionPage> {
    const rows = await this.read(LIST, page, [before, (limit ?? ALL_VERSIONS) + 1]);
    const items = rows.slice(0, limit).flatMap((row) => toVersion(row) ?? []);
    const isCut = limit !== undefined && rows.length > limit;
    return { items, next: isCut ? (items.at(-1)?.version ?? null) : null };
  }

  /**
   * A version with its content as JSON text.
   * @throws DomainError not_found: the page, the version; unprocessable_entity: a collection
   */
  async get(page: PageOfCaller, version: number): Promise<PageVersion & { content: string }> {
    const [row] = (await this.read(CONTENT, page, [version])) as [VersionRow];
    const found = toVersion(row);
    if (!found || row.content === undefined) throw notFound('version');
    return { ...found, content: row.content };
  }

  private async read(
    statement: ReadStatement,
    { teamId, workspaceId, id, callerId }: PageOfCaller,
    more: number[],
  ): Promise<readonly VersionRow[]> {
    const values = [teamId, workspaceId, id, this.ttlSeconds, ...more];
    const rows = await this.database.query<VersionRow>(statement, values, { callerId, teamId });
    const [row] = rows;
    if (!row) throw notFound(ITEM);
    if (row.object !== 'item') throw versionsOfCollection();
    return rows;
  }
}

/**
 * Deletes all versions of a page, for good, and the content in responses that are stored of it (decisions 14.5); an
 * entry of the audit log tells how many versions.
 */
export const deleteVersions = (id: string): SubtreeCommand => ({
  kind: 'subtree',
  write: async ({ teamId, workspaceId, author, run, load }) => {
    const slice = await load(readSetWith({ items: new Set([id]) }));
    const page = find(slice, id);
    if (page.object !== 'item') throw versionsOfCollection();
    const deletion: Statement = [DELETE_VERSIONS, [teamId, workspaceId, [id]]];
    const deleted = await run([deletion, forgetContent(id)]);
    const [[details], forgotten] = deleted as [[{ versions: number }], Rows];
    const result = { items: [], etag: null };
    if (details.versions + forgotten.length === 0) {
      return { result, statements: [], isUnchanged: true };
    }
    const entry = { action: 'item.versionsPurged' as const, ...onItem(workspaceId, page), details };
    return { result, statements: [log(slice, []), recordStatement(teamId, author, [entry])] };
  },
});

function toVersion({ version, since, until, bytes, ...row }: VersionRow): PageVersion | null {
  if (version === null) return null;
  const { authorId, authorName } = row;
  const isKnown = authorId !== null && authorName !== null;
  return { version, since, until, by: isKnown ? { id: authorId, name: authorName } : null, bytes };
}

/** More versions than a page has. */
const ALL_VERSIONS = 1000;

const VERSION = `v.version, v.since, v.until, v.bytes, v.author_id AS "authorId", u.name AS "authorName"`;

/** The page $3 with what is found of its versions, those that are younger than $4 seconds. */
const ofPage = (columns: string, versions: string) => `
    SELECT c.object, ${columns}
    FROM collections c
    LEFT JOIN LATERAL (
      SELECT version, since, until, author_id, bytes, content FROM page_versions
      WHERE team_id = $1 AND id = c.id AND until > now() - $4::int * interval '1 second' AND ${versions}
    ) AS v ON true
    LEFT JOIN users u ON u.id = v.author_id
    WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2`;

const LIST = point(100, {
  name: 'versions.list',
  text: `${ofPage(
    VERSION,
    `version < $5::int
      ORDER BY team_id DESC, id DESC, version DESC LIMIT $6::int`,
  )}
    ORDER BY v.version DESC`,
});

const CONTENT = manyRows({
  name: 'versions.content',
  text: ofPage(`${VERSION}, v.content::text AS content`, 'version = $5::int'),
});
