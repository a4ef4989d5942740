import { decideTeam } from '../../access/decide.js';
import type { ChangeLogRepository } from '../../collections/changes/change-log.repository.js';
import type { Database } from '../../database/database.js';
import { NO_ID } from '../../database/identifiers.js';
import {
  auditLooks,
  type ChangedWorkspace,
  clearOrphans,
  countEntries,
  endRound,
  findCandidates,
  findFresh,
  type Head,
  headsOf,
  insertStates,
  markTeams,
  markTrees,
  nextToCompare,
  type OwnedWebhook,
  stateBefore,
  takeRound,
  webhooksOf,
} from './change-round.repository.js';

/**
 * Milliseconds by which times of changes may be wrong: they are drawn before the commit, and clocks of nodes
 * differ. Most are right within a few seconds.
 */
const OVERLAP = 60_000;
const USUAL_OVERLAP = 5_000;
/**
 * Milliseconds between two rounds that look back by all of OVERLAP, and at what rounds have marked already: a
 * delivery or a change of a webhook that ran beside such a round may have missed its marks.
 */
const WIDE_INTERVAL = 10_000;
/** Milliseconds that a round looks back at most: each webhook is compared within five minutes anyway. */
const MAX_LOOK_BACK = 10 * 60_000;

/**
 * Finds what is to be sent to webhooks, once a second, in one instance at a time, and marks it as due. Indexes on
 * time only find candidates: whether there is something to send, the stamp of the tree decides, or the number of
 * entries in the audit log. Since times are not exact, the teams of some webhooks are compared in each round,
 * whatever their times.
 */
export class ChangeRound {
  private wideAt = Number.NEGATIVE_INFINITY;
  /** The newest change of each workspace that the rounds since then have marked. */
  private readonly marked = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly log: ChangeLogRepository,
    /** Of the lease. */
    private readonly holder: string,
  ) {}

  /** @returns webhooks whose makers may not have them any more; none if another instance does the round */
  async run(): Promise<OwnedWebhook[]> {
    const { database, holder } = this;
    const round = await takeRound(database, holder);
    if (round === null) return [];
    const { startedAt, lookedAt } = round;
    const isWide = startedAt.getTime() - this.wideAt >= WIDE_INTERVAL;
    const overlap = isWide ? OVERLAP + WIDE_INTERVAL : USUAL_OVERLAP;
    const from = Math.max(lookedAt.getTime() - overlap, startedAt.getTime() - MAX_LOOK_BACK);
    const compared = await nextToCompare(database, round);
    const { changed: found, audited } = await findCandidates(database, new Date(from));
    if (isWide) this.marked.clear();
    const changed = found.filter(({ id, lastVersion }) => this.marked.get(id) !== lastVersion);
    const comparedTeams = [...new Set(compared.map(({ teamId }) => teamId))];
    const teams = [...new Set([...audited, ...comparedTeams])];
    const all = comparedTeams.length > 0 ? await headsOf(database, comparedTeams) : [];
    // Of a workspace in both lists, the one that knows where its changes begin.
    const heads = new Map([...all, ...(await this.stamped(changed))].map((one) => [one.id, one]));
    if (heads.size > 0) {
      // A webhook that begins has states for the workspaces that have changed recently.
      const unknown = [...heads.values()].filter(
        ({ id, teamId }) => !this.marked.has(id) || comparedTeams.includes(teamId),
      );
      await this.markChangedTrees([...heads.values()], unknown);
    }
    if (teams.length > 0) await this.markAuditedTeams(teams);
    const webhooks = teams.length > 0 ? await webhooksOf(database, teams) : [];
    const last = compared.at(-1);
    if (!last) await clearOrphans(database);
    const { teamId, id: webhookId } = last ?? { teamId: NO_ID, id: NO_ID };
    await endRound(database, holder, { ...round, teamId, webhookId });
    for (const { id, lastVersion } of changed) this.marked.set(id, lastVersion);
    if (isWide) this.wideAt = startedAt.getTime();
    return webhooks.filter(
      ({ makerRole }) => decideTeam('team.manageWebhooks', makerRole) !== 'allow',
    );
  }

  private async stamped(changed: readonly ChangedWorkspace[]): Promise<Head[]> {
    if (changed.length === 0) return [];
    const stamps = await this.log.treeStamps(changed);
    return changed.flatMap((one) => {
      const stamp = stamps.get(one.id);
      return stamp === undefined ? [] : [{ ...one, stamp }];
    });
  }

  /** @param unknown those for which a webhook may have no state */
  private async markChangedTrees(heads: readonly Head[], unknown: readonly Head[]): Promise<void> {
    const { database } = this;
    await markTrees(database, heads);
    if (unknown.length === 0) return;
    const fresh = await findFresh(database, unknown, OVERLAP);
    const before = await Promise.all(fresh.map((one) => stateBefore(database, one, OVERLAP)));
    const states = fresh.flatMap((one, index) => {
      const found = before[index];
      // What the log does not have any more is left out.
      return found ? [{ ...one, ...found }] : [];
    });
    await insertStates(database, states);
  }

  private async markAuditedTeams(teams: readonly string[]): Promise<void> {
    const { database } = this;
    const looks = await auditLooks(database, teams);
    const counts = await Promise.all(
      looks.map(({ teamId, seenAt }) => countEntries(database, teamId, seenAt)),
    );
    const due = looks.filter(({ seenTotal }, index) => seenTotal !== counts[index]);
    if (due.length > 0) await markTeams(database, due);
  }
}
