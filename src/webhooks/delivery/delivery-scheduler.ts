import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decideTeam } from '../../access/decide.js';
import { ChangeLogRepository } from '../../collections/changes/change-log.repository.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { NO_ID } from '../../database/identifiers.js';
import { BackgroundJob } from '../../jobs/background-job.js';
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
  stateBefore,
  type TakenRound,
  takeRound,
  webhooksOf,
} from './delivery-scheduler.repository.js';
import { WebhookDisabler } from './webhook-disabler.js';
import { WebhookSender } from './webhook-sender.js';

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

/** Statements that a round sends at once: reads of requests come in between. */
const PORTION = 50;

/**
 * Schedules deliveries: once a second, in one instance at a time, a round finds what is to be sent to webhooks, and
 * marks it as due for WebhookSender. Indexes on time only find candidates: the stamp of the tree decides whether there
 * is something to send, or the number of entries in the audit log. Since times are not exact, the teams of some
 * webhooks are compared in each round, whatever their times.
 */
@Injectable()
export class DeliveryScheduler extends BackgroundJob {
  private wideAt = Number.NEGATIVE_INFINITY;
  /** Of the lease. */
  private readonly holder = randomUUID();
  /** The newest change of each workspace that the rounds since then have marked. */
  private readonly marked = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly log: ChangeLogRepository,
    private readonly disabler: WebhookDisabler,
    private readonly sender: WebhookSender,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super('deliveryScheduler');
  }

  override onApplicationBootstrap(): void {
    if (this.config.webhookKey !== null) super.onApplicationBootstrap();
  }

  async runRound(): Promise<void> {
    const round = await takeRound(this.database, this.holder);
    if (round === null) return;
    const compared = await nextToCompare(this.database, round);
    const teams = [...new Set(compared.map(({ teamId }) => teamId))];
    const audited = await this.markChanged(round, teams);
    // What fails there, for one team perhaps, must not keep others from hearing of their changes.
    await this.compareTrees(teams).catch(this.report('trees were not compared'));
    const last = compared.at(-1);
    if (!last) await clearOrphans(this.database);
    const { teamId, id: webhookId } = last ?? { teamId: NO_ID, id: NO_ID };
    await endRound(this.database, this.holder, { ...round, teamId, webhookId });
    this.sender.lookNow();
    await this.endUnowned([...new Set([...audited, ...teams])]);
  }

  /**
   * Marks what has changed since the last round.
   * @param compared teams whose webhooks may lack a state of what was marked before
   * @returns teams with new entries in their audit log
   */
  private async markChanged(round: TakenRound, compared: readonly string[]): Promise<string[]> {
    const { startedAt, lookedAt } = round;
    const isWide = startedAt.getTime() - this.wideAt >= WIDE_INTERVAL;
    const overlap = isWide ? OVERLAP + WIDE_INTERVAL : USUAL_OVERLAP;
    const from = Math.max(lookedAt.getTime() - overlap, startedAt.getTime() - MAX_LOOK_BACK);
    const { changed: found, audited } = await findCandidates(this.database, new Date(from));
    if (isWide) this.marked.clear();
    const changed = found.filter(({ id, lastVersion }) => this.marked.get(id) !== lastVersion);
    // A webhook that begins has states for the workspaces that have changed recently.
    const unknown = ({ id, teamId }: Head) => !this.marked.has(id) || compared.includes(teamId);
    await this.markTrees(await this.stamped(changed), unknown);
    await this.markAuditedTeams([...new Set([...audited, ...compared])]);
    for (const { id, lastVersion } of changed) this.marked.set(id, lastVersion);
    if (isWide) this.wideAt = startedAt.getTime();
    return audited;
  }

  /** Marks what of these teams has changed and is not marked, whatever the times of its changes. */
  private async compareTrees(teams: readonly string[]): Promise<void> {
    if (teams.length > 0) await this.markTrees(await headsOf(this.database, teams), () => true);
  }

  /** Disables the webhooks of these teams whose makers may not have them any more. */
  private async endUnowned(teams: readonly string[]): Promise<void> {
    if (teams.length === 0) return;
    const webhooks = await webhooksOf(this.database, teams);
    const unowned = webhooks.filter(
      ({ makerRole }) => decideTeam('team.manageWebhooks', makerRole) !== 'allow',
    );
    await inPortions(unowned, ({ teamId, id }) =>
      this.disabler
        .disable({ teamId, webhookId: id }, 'maker_not_owner')
        .catch(this.report('a webhook was not disabled')),
    );
  }

  private report(what: string): (error: Error) => void {
    return ({ message }) => {
      if (!this.isOver) this.logger.warn(`${what}: ${message}`);
    };
  }

  private async stamped(changed: readonly ChangedWorkspace[]): Promise<Head[]> {
    if (changed.length === 0) return [];
    const stamps = await this.log.treeStamps(changed);
    return changed.flatMap((one) => {
      const stamp = stamps.get(one.id);
      return stamp === undefined ? [] : [{ ...one, stamp }];
    });
  }

  /** @param mayLackStates for which heads a webhook may have no state */
  private async markTrees(
    heads: readonly Head[],
    mayLackStates: (head: Head) => boolean,
  ): Promise<void> {
    const { database } = this;
    if (heads.length > 0) await markTrees(database, heads);
    const unknown = heads.filter(mayLackStates);
    if (unknown.length === 0) return;
    const fresh = await findFresh(database, unknown, OVERLAP);
    const before = await inPortions(fresh, (one) => stateBefore(database, one, OVERLAP));
    const states = fresh.flatMap((one, index) => {
      const found = before[index];
      // What the log does not have any more is left out.
      return found ? [{ ...one, ...found }] : [];
    });
    await insertStates(database, states);
  }

  private async markAuditedTeams(teams: readonly string[]): Promise<void> {
    if (teams.length === 0) return;
    const { database } = this;
    const looks = await auditLooks(database, teams);
    const counts = await inPortions(looks, ({ teamId, seenAt }) =>
      countEntries(database, teamId, seenAt),
    );
    const due = looks.filter(({ seenTotal }, index) => seenTotal !== counts[index]);
    if (due.length > 0) await markTeams(database, due);
  }
}

async function inPortions<T, Result>(
  all: readonly T[],
  work: (one: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += PORTION) {
    results.push(...(await Promise.all(all.slice(from, from + PORTION).map(work))));
  }
  return results;
}
