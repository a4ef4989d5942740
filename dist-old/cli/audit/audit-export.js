import { toEntry } from '../../audit/log/audit-log.js';
import { ENTRY, FROM_ENTRIES, visibleTo } from '../../audit/log/audit-log.repository.js';
import { serializeEntry } from '../../audit/log/audit-log.wire.js';
import { Database } from '../../database/database.js';
import { textOf } from '../records/text.js';
/** Entries that one statement reads. */
const PORTION = 1000;
/**
 * Prints the entries that every owner of a team may see, oldest first, in portions, as fast as they are
 * read.
 * @throws Error with a sentence: no such team
 */
export async function exportAuditLog(config, slug, { action = undefined, since = undefined, until = undefined }, asJson) {
    const database = new Database(config);
    try {
        const [team] = await database.query(TEAM, [slug]);
        if (!team)
            throw new Error(`There is no team with the slug "${slug}".`);
        const filter = [since ?? null, until ?? null, action ?? null];
        let last;
        do {
            const from = [last?.at ?? null, last?.id ?? null];
            const values = [team.id, ...from, ...filter, PORTION];
            const rows = await database.query(PORTION_OF, values);
            const lines = rows.map((row) => lineOf(serializeEntry(toEntry(row)), asJson));
            if (lines.length > 0)
                console.log(lines.join('\n'));
            last = rows.length === PORTION ? rows.at(-1) : undefined;
        } while (last);
    }
    finally {
        await database.onApplicationShutdown();
    }
}
function lineOf(entry, asJson) {
    if (asJson)
        return JSON.stringify(entry);
    const { at, action, actor, target, details } = entry;
    const what = `${target.type} ${target.name ?? ''} (${target.id})`.replace('  ', ' ');
    return textOf(`${at}  ${action}  ${what}  by ${actor?.name ?? '-'}  ${JSON.stringify(details)}`);
}
const TEAM = { name: 'audit.team', text: 'SELECT id FROM teams WHERE slug = $1' };
const PORTION_OF = {
    name: 'audit.portion',
    text: `
    SELECT ${ENTRY}
    FROM ${FROM_ENTRIES}
    WHERE e.team_id = $1
      AND ($2::timestamptz IS NULL OR (e.at, e.id) > ($2, $3::uuid))
      AND e.at >= coalesce($4::timestamptz, '-infinity')
      AND e.at < coalesce($5::timestamptz, 'infinity')
      AND ($6::text IS NULL OR e.action = $6)
      AND ${visibleTo('NULL')}
    ORDER BY e.at, e.id LIMIT $7`,
    many: true,
};
//# sourceMappingURL=audit-export.js.map