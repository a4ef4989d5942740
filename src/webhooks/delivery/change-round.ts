import { decideTeam } from '../../access/decide.js';
import type { ChangeLogRepository } from '../../collections/changes/change-log.repository.js';
import type { Database } from '../../database/database.js';
import {
  clearOrphans,
  countEntries,
  endRound,
  type FoundSubscription,
  findCandidates,
  headsOf,
  insertStates,
  markDue,
  nextSubscriptions,
  stateBefore,
  statesOf,
  subscriptionsOf,
  takeRound,
} from './change-round.repository.js';
import { type Fresh, findNews, keyOf, OVERLAP, type ScopeState } from './news.js';

/** Milliseconds that a round looks back at most: each webhook is compared within five minutes anyway. */
const MAX_LOOK_BACK = 10 * 60_000;
/** Where a comparison of all webhooks begins. */
const BEGIN = '00000000-0000-0000-0000-000000000000';

/**
 * Finds what webhooks are to be told, once a second, in one instance at a time, and marks it as due. Changes are
 * found by the indexes on time, and, since times are not exact, some webhooks are compared in each round
 * with all that they could tell.
 * @param now by the service's clock
 * @returns webhooks whose makers may not have them any more; null: the round is not this instance's
 */
export async function runChangeRound(
  database: Database,
  log: ChangeLogRepository,
  holder: string,
  now: Date,
): Promise<FoundSubscription[] | null> {
  const round = await takeRound(database, holder);
  if (round === null) return null;
  const { startedAt, lookedAt } = round;
  const from = Math.max(lookedAt.getTime() - OVERLAP, startedAt.getTime() - MAX_LOOK_BACK);
  const compared = await nextSubscriptions(database, round);
  const { changed, audited } = await findCandidates(database, new Date(from));
  const teams = new Set([...audited, ...changed.map(({ teamId }) => teamId)]);
  const found = teams.size > 0 ? await subscriptionsOf(database, [...teams]) : [];
  const all = [...new Map([...found, ...compared].map((one) => [one.id, one])).values()];
  const isTheirs = ({ makerRole }: FoundSubscription) =>
    decideTeam('team.manageWebhooks', makerRole) === 'allow';
  const subscriptions = all.filter(isTheirs);
  if (subscriptions.length > 0) {
    const comparedTeams = new Set(compared.map(({ teamId }) => teamId));
    const read = await statesOf(database, subscriptions);
    const states = new Map(read.map((state) => [keyOf(state.webhookId, state.scopeId), state]));
    const heads = comparedTeams.size > 0 ? await headsOf(database, [...comparedTeams]) : [];
    const entries = await entriesOf(database, subscriptions, states, [
      ...audited,
      ...comparedTeams,
    ]);
    const stamps = await log.treeStamps(changed);
    const changedHeads = changed.flatMap((one) => {
      const stamp = stamps.get(one.id);
      return stamp === undefined ? [] : [{ ...one, stamp }];
    });
    // Of a workspace in both lists, the one that knows where its changes begin.
    const unique = new Map([...heads, ...changedHeads].map((head) => [head.id, head]));
    const { due, fresh } = findNews(subscriptions, states, [...unique.values()], entries, now);
    await markDue(database, due);
    await insertStates(database, await withBeginnings(database, fresh), now);
  }
  const last = compared.at(-1);
  if (!last) await clearOrphans(database);
  const { teamId, id: webhookId } = last ?? { teamId: BEGIN, id: BEGIN };
  await endRound(database, holder, { ...round, teamId, webhookId });
  return all.filter((one) => !isTheirs(one));
}

/** How many entries the audit logs of these teams have since they were looked at, by webhook. */
async function entriesOf(
  database: Database,
  subscriptions: readonly FoundSubscription[],
  states: ReadonlyMap<string, ScopeState>,
  teams: readonly string[],
): Promise<Map<string, number>> {
  const asked = new Set(teams);
  const counts = subscriptions.flatMap(({ teamId, id }) => {
    const state = states.get(keyOf(id, teamId));
    if (!state || state.isDue || !asked.has(teamId)) return [];
    return [countEntries(database, teamId, state.seenAt).then((count) => [id, count] as const)];
  });
  return new Map(await Promise.all(counts));
}

/** The states from which the first messages lead on. What the log does not have any more is left out. */
async function withBeginnings(database: Database, fresh: readonly Fresh[]) {
  const before = await Promise.all(fresh.map((one) => stateBefore(database, one, OVERLAP)));
  return fresh.flatMap((one, index) => {
    const found = before[index];
    return found ? [{ ...one, ...found }] : [];
  });
}
