import { manyRows, point } from '@teamspaces/pg-lanes/statements';
import { outputDrained, print, printJsonLines } from 'teamspaces';
import {
  type AuditEntry,
  type AuditFilter,
  ENTRY,
  NAMES,
  SCOPE,
  scopesOf,
} from 'teamspaces-service/audit-log/audit-log.repository';
import {
  type AuditEntryResponse,
  serializeEntry,
} from 'teamspaces-service/audit-log/audit-log.wire';
import type { Database } from 'teamspaces-service/database/database';
import { NO_ID } from 'teamspaces-service/database/identifiers';
import { noTeam } from '../with-database.js';

/** Entries that one statement reads. */
const PORTION = 1000;

/**
 * Prints the entries that every owner of a team may see, oldest first, in portions. It waits for a slow
 * reader of the output.
 * @throws Error there is no such team
 */
export async function exportAuditLog(
  database: Database,
  slug: string,
  { action = undefined, since = undefined, until = undefined }: AuditFilter,
  asJson: boolean,
): Promise<void> {
  const [team] = await database.query<{ id: string }>(TEAM, [slug]);
  if (!team) throw noTeam(slug);
  const filter = [since ?? null, until ?? null, action ?? null];
  let last: AuditEntry | undefined;
  do {
    const from = [last?.at ?? null, last?.id ?? null];
    const values = [team.id, ...from, ...filter, PORTION];
    const rows = await database.query<AuditEntry>(PORTION_OF, values);
    const entries = rows.map(serializeEntry);
    if (asJson) printJsonLines(entries);
    else print(...entries.map(lineOf));
    await outputDrained();
    last = rows.length === PORTION ? rows.at(-1) : undefined;
  } while (last);
}

function lineOf({ at, action, actor, target, details }: AuditEntryResponse): string {
  const what = `${target.type} ${target.name ?? ''} (${target.id})`.replace('  ', ' ');
  return `${at}  ${action}  ${what}  by ${actor?.name ?? '-'}  ${JSON.stringify(details)}`;
}

const TEAM = point(1, { name: 'audit.team', text: 'SELECT id FROM teams WHERE slug = $1' });

const PORTION_OF = manyRows({
  name: 'audit.portion',
  text: `
    SELECT ${ENTRY}
    FROM audit_entries e
    ${NAMES}
    WHERE e.team_id = $1
      AND ($2::timestamptz IS NULL OR (e.at, e.id) > ($2, $3::uuid))
      AND e.at >= coalesce($4::timestamptz, '-infinity')
      AND e.at < coalesce($5::timestamptz, 'infinity')
      AND ($6::text IS NULL OR e.action = $6)
      AND ${SCOPE} IN (${scopesOf(`'${NO_ID}'`)}
      )
    ORDER BY e.at, e.id LIMIT $7`,
});
