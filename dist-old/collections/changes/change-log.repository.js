var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { listedItem } from '../tree-json.js';
/** Bytes of items from which on a page takes no other one. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Sorts before all ids of items. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** The rows of the log after the row ($3, $4). */
const LOGGED = `
        SELECT version, id, created_at FROM tree_changes
        WHERE team_id = $1 AND workspace_id = $2 AND (version, id) > ($3::bigint, $4::uuid)
        ORDER BY team_id, workspace_id, version, id LIMIT $5::int + 1`;
/** The items after the id $4. The comparison of both columns means that only their own index will do. */
const LOADED = `
        SELECT $3::bigint AS version, id, NULL::timestamptz AS created_at FROM collections
        WHERE team_id = $1 AND (workspace_id, id) > ($2, $4::uuid) AND workspace_id <= $2
        ORDER BY team_id, workspace_id, id LIMIT $5::int + 1`;
/**
 * A page: of what \`source\` finds, the last row of each item, with the item as it is now. The first row
 * is no change: it has the state of the tree, whether the state ($6, $7) belongs to its history, and
 * what \`source\` found. All of one moment.
 *
 * Items are read one by one, in their order, until they fill the page. The range with its order means
 * that only the primary key will do: see slice-statements.ts.
 */
const page = (name, source, withContent) => ({
    name,
    text: `
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY version, id) AS n, version, id, created_at
      FROM (${source}) AS source
    ), wanted AS (
      SELECT array_agg(version ORDER BY n) AS versions, array_agg(id ORDER BY n) AS ids
      FROM (
        SELECT max(n) AS n, max(version) AS version, id FROM found
        WHERE n <= $5::int AND id <> $2 GROUP BY id
      ) AS latest
    ), shown AS (
      SELECT 0 AS n, NULL::bigint AS version, NULL::uuid AS id, NULL::text COLLATE "C" AS item, 0 AS bytes
      UNION ALL
      SELECT shown.n + 1, wanted.versions[shown.n + 1], wanted.ids[shown.n + 1], present.item,
        shown.bytes + coalesce(octet_length(present.item), 0)
      FROM shown CROSS JOIN wanted
      LEFT JOIN LATERAL (
        SELECT c.json || ',"position":"' || c.position || '"}' AS item FROM (
          SELECT ${listedItem(withContent)}, c.position, c.workspace_id FROM collections c
          WHERE c.team_id = $1 AND c.id >= wanted.ids[shown.n + 1]
            AND c.id <= wanted.ids[shown.n + 1]
          ORDER BY c.team_id, c.id LIMIT 1
        ) AS c WHERE c.workspace_id = $2
      ) AS present ON true
      WHERE shown.n < cardinality(wanted.ids) AND shown.bytes < ${MOST_BYTES}
    )
    SELECT shown.version, shown.id, shown.item, head.*
    FROM shown LEFT JOIN (
      SELECT w.tree_version, w.tree_stamp,
        (w.tree_version = $6::bigint AND w.tree_stamp = $7::uuid) OR $7::uuid = (
          SELECT previous_stamp FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $6::bigint + 1
          ORDER BY team_id, workspace_id, version, id LIMIT 1
        ) AS is_known,
        EXISTS (
          SELECT FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $3::bigint AND id = $4::uuid
        ) AS is_place_kept,
        all_found.*, coalesce(cardinality(wanted.ids), 0) AS items
      FROM workspaces w, wanted, (
        SELECT count(*) > $5::int AS is_cut, min(version) AS first_version,
          count(DISTINCT version) FILTER (WHERE n <= $5::int) AS versions,
          max(version) FILTER (WHERE n <= $5::int) AS last_version,
          (array_agg(id ORDER BY n DESC) FILTER (WHERE n <= $5::int))[1] AS last_id,
          date_part('epoch', clock_timestamp() - min(created_at)) AS lag
        FROM found
      ) AS all_found
      WHERE w.team_id = $1 AND w.id = $2 AND w.deleted_at IS NULL
    ) AS head ON shown.n = 0
    ORDER BY shown.n`,
    many: true,
});
/** First loads and increments, without content and with it. */
const PAGES = {
    load: {
        plain: page('changes.load', LOADED, false),
        content: page('changes.loadContent', LOADED, true),
    },
    increment: {
        plain: page('changes.increment', LOGGED, false),
        content: page('changes.incrementContent', LOGGED, true),
    },
};
/** Reads the feed of changes. */
let ChangeLogRepository = class ChangeLogRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /** The items of a workspace after this id, by their ids. @returns null: the workspace is gone */
    load(request, after) {
        return this.read('load', request, [null, after ?? BEFORE_ALL]);
    }
    /** What the log has after a row of it. @returns null: the workspace is gone */
    increment(request, after) {
        return this.read('increment', request, [after.version, after.id]);
    }
    async read(kind, { callerId, workspace, newest, limit, withContent }, after) {
        const { id, teamId } = workspace;
        const statement = PAGES[kind][withContent ? 'content' : 'plain'];
        const values = [teamId, id, ...after, limit, newest?.version ?? null, newest?.stamp ?? null];
        const by = { callerId, teamId };
        const [head, ...items] = await this.database.query(statement, values, by);
        if (!head || head.tree_version === null)
            return null;
        return toPage(head, items);
    }
};
ChangeLogRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], ChangeLogRepository);
export { ChangeLogRepository };
function toPage(head, items) {
    const isFull = items.length < head.items;
    const last = isFull ? items.at(-1) : { version: head.last_version, id: head.last_id };
    const versions = Number(head.last_version) - Number(head.first_version) + 1;
    return {
        items,
        head: { version: Number(head.tree_version), stamp: head.tree_stamp },
        isKnown: head.is_known === true,
        isPlaceKept: head.is_place_kept,
        firstVersion: head.first_version === null ? null : Number(head.first_version),
        isGapless: head.first_version === null || Number(head.versions) === versions,
        last: last && last.id !== null ? { version: Number(last.version), id: last.id } : null,
        isCut: isFull || head.is_cut,
        lag: head.lag,
    };
}
//# sourceMappingURL=change-log.repository.js.map