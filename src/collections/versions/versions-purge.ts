import { Inject, Injectable } from '@nestjs/common';
import type { PipelinedTransaction } from '@teamspaces/pg-lanes/pipelined-transaction';
import { scan } from '@teamspaces/pg-lanes/statements';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { Purge } from '../../database/purge.js';
import { Metrics } from '../../observability/metrics.js';
import { rowOf } from '../items/item-sql.js';

/** Versions that one transaction removes, at most. */
const PORTION = 500;

/** Milliseconds between two looks for versions without a page. */
const LOOK_INTERVAL = 24 * 60 * 60 * 1000;

/** Pages with versions that one statement looks at, at most. */
const LOOKED_AT = 1000;

/** A page with versions. */
interface Page {
  teamId: string;
  id: string;
}

/**
 * Removes versions of pages that are older than VERSIONS_TTL_SECONDS. What a page has too many of went with the
 * write.
 *
 * The version of the service before versions deletes pages without their versions, as long as it runs beside this
 * one: they are looked for at the start, and once a day.
 */
@Injectable()
export class VersionsPurge extends Purge {
  private readonly removed;
  private lookedAt: number | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    database: Database,
    metrics: Metrics,
  ) {
    super(database, {
      name: 'versions',
      failure: 'versions of pages were not purged',
      lock: 'versionsPurge',
    });
    this.removed = metrics.counter(
      'teamspaces_versions_purged_total',
      'Versions of pages that this instance has removed, by reason: age, or the page is gone.',
      ['reason'],
    );
    for (const reason of ['age', 'page'] as const) this.removed.inc({ reason }, 0);
  }

  /** Removes all that is too old, and now and then what has no page, in portions. */
  async runRound(): Promise<void> {
    await this.removeAll(
      () => this.removeOld(),
      (versions) => this.removed.inc({ reason: 'age' }, versions),
    );
    const now = this.clock.now();
    if (this.lookedAt !== null && now - this.lookedAt < LOOK_INTERVAL) return;
    // Before the look, so that one that fails is not tried again each minute: it reads all pages.
    this.lookedAt = now;
    await this.removeWithoutPage();
  }

  /**
   * Removes the oldest versions of one team, in one short transaction.
   * @returns how many; null: there are no old ones, or another process removes them
   */
  private removeOld(): Promise<number | null> {
    const age = this.config.versionsTtlSeconds;
    return this.remove(({ teamId }) => [REMOVE, [teamId, age, PORTION]], [NEXT, [age]]);
  }

  /** Removes those of pages that are neither in the tree nor in the trash: they never come back. */
  private async removeWithoutPage(): Promise<void> {
    for (let after: Page | null = BEFORE_ALL; after; ) {
      const from: Page = after;
      const looked = await this.underLock([], (tx) => this.look(tx, from));
      for (const { teamId, id } of looked?.lost ?? []) {
        if (this.isOver) return;
        const removed = await this.remove(() => [REMOVE_OF_PAGE, [teamId, id]]);
        if (removed === null) return;
        this.removed.inc({ reason: 'page' }, removed);
      }
      // None: another process looks, or this was the end.
      after = (!this.isOver && looked?.last) || null;
    }
  }

  /** Looks at the next pages with versions: which are lost, and the last of all. */
  private async look(tx: PipelinedTransaction, from: Page) {
    const pages = await tx.query<Page>(LOOK, [from.teamId, from.id, LOOKED_AT]);
    const byTeam = new Map<string, string[]>();
    for (const { teamId, id } of pages) byTeam.set(teamId, [...(byTeam.get(teamId) ?? []), id]);
    const teams = [...byTeam];
    const found = await tx.run(teams.map((values) => [LOST, values]));
    const lost = teams.flatMap(([teamId], n) =>
      (found[n] ?? []).map(({ id }): Page => ({ teamId, id })),
    );
    return { lost, last: pages.at(-1) ?? null };
  }
}

/** The team of the oldest version of all that are older than $1 seconds. */
const NEXT = {
  name: 'versionsPurge.next',
  text: `
    SELECT team_id AS "teamId" FROM page_versions
    WHERE until <= now() - $1::int * interval '1 second' ORDER BY until LIMIT 1`,
};

/** Versions of a team that are older than $2 seconds, $3 at most, the oldest first. */
const REMOVE = {
  name: 'versionsPurge.remove',
  text: `
    WITH removed AS (
      DELETE FROM page_versions WHERE team_id = $1 AND ctid = ANY (ARRAY (
        SELECT ctid FROM page_versions
        WHERE team_id = $1 AND until <= now() - $2::int * interval '1 second'
        ORDER BY until LIMIT $3
      )) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};

/** Sorts before all pages. */
const BEFORE_ALL = {
  teamId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/**
 * Pages with versions after the page $2 of the team $1, $3 at most. It filters by no single team: on a distributed
 * database every node is asked.
 */
const LOOK = scan({
  name: 'versionsPurge.look',
  text: `
    SELECT team_id AS "teamId", id FROM page_versions WHERE (team_id, id) > ($1::uuid, $2::uuid)
    GROUP BY team_id, id ORDER BY team_id, id LIMIT $3`,
});

/** Which of the pages $2 are gone. The trash of their team is read, once, if one of them is not in the tree. */
const LOST = {
  name: 'versionsPurge.lost',
  text: `
    WITH missing AS MATERIALIZED (
      SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
      LEFT JOIN LATERAL (${rowOf('wanted.id', 'c.id')}
      ) AS c ON true
      WHERE c.id IS NULL
    )
    SELECT id FROM missing
    EXCEPT
    SELECT i.id FROM trash_items i
    WHERE i.team_id = $1 AND EXISTS (SELECT FROM missing) AND i.id IN (SELECT id FROM missing)`,
};

/** The versions of the page $2. */
const REMOVE_OF_PAGE = {
  name: 'versionsPurge.removeOfPage',
  text: `
    WITH removed AS (
      DELETE FROM page_versions WHERE team_id = $1 AND id = $2 RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};
