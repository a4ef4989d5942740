import { Injectable } from '@nestjs/common';
import type { PipelinedTransaction } from '@teamspaces/pg-lanes/pipelined-transaction';
import { scan } from '@teamspaces/pg-lanes/statements';
import { Database } from '../../database/database.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { JobLock } from '../../jobs/job-lock.js';
import { JOBS } from '../../jobs/jobs.js';
import { PurgeCounts } from '../../jobs/purge-counts.js';
import { rowOf } from '../items/item-sql.js';

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
 * Removes versions without a page: the version of the service before versions deletes pages without their versions,
 * as long as it runs beside this one. They are looked for at the start, and once a day. What is too old, Retention
 * removes.
 */
@Injectable()
export class VersionsPurge extends BackgroundJob {
  private readonly lock;
  private lookedAt: number | null = null;

  constructor(
    database: Database,
    private readonly counts: PurgeCounts,
  ) {
    super('versionsPurge');
    this.lock = new JobLock(database, JOBS.versionsPurge.lock);
  }

  async runRound(): Promise<void> {
    const now = this.clock.now();
    if (this.lookedAt !== null && now - this.lookedAt < LOOK_INTERVAL) return;
    // Before the look, so that one that fails is not tried again each minute: it reads all pages.
    this.lookedAt = now;
    await this.removeWithoutPage();
  }

  /** Removes those of pages that are neither in the tree nor in the trash: they never come back. */
  private async removeWithoutPage(): Promise<void> {
    for (let after: Page | null = BEFORE_ALL; after; ) {
      const from: Page = after;
      const looked = await this.lock.run([], (tx) => this.look(tx, from));
      for (const { teamId, id } of looked?.lost ?? []) {
        if (this.isOver) return;
        const removed = await this.lock.remove(() => [REMOVE_OF_PAGE, [teamId, id]]);
        if (removed === null) return;
        this.counts.versions.inc({ reason: 'page' }, removed);
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
