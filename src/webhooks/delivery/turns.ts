import type { Receivers } from '../attempts/names.js';
import { LEFT_TO_OTHERS, MAX_AT_ONCE, MAX_OF_MAKER, MAX_OF_TEAM } from '../limits.js';

// Whose message is sent next. Pure.

/** A webhook with something due. */
export interface Candidate extends Receivers {
  webhookId: string;
}

/**
 * The candidate whose turn it is: of those that have room, one of the maker with the fewest deliveries in progress,
 * then of the team with the fewest, then the first. So nobody waits for a maker with many teams, or for a team with
 * many webhooks, however long ago their messages were due.
 * @returns null: none may begin now
 */
export function nextTurn(
  candidates: readonly Candidate[],
  inProgress: readonly Candidate[],
): Candidate | null {
  const left = MAX_AT_ONCE - inProgress.length;
  const ofMakers = countBy(inProgress, ({ makerId }) => makerId);
  const ofTeams = countBy(inProgress, ({ teamId }) => teamId);
  const webhooks = new Set(inProgress.map(({ webhookId }) => webhookId));
  let next: { candidate: Candidate; ofMaker: number; ofTeam: number } | null = null;
  for (const candidate of candidates) {
    const ofMaker = ofMakers.get(candidate.makerId) ?? 0;
    const ofTeam = ofTeams.get(candidate.teamId) ?? 0;
    const makerHasRoom = ofMaker < MAX_OF_MAKER || left > LEFT_TO_OTHERS;
    if (left === 0 || !makerHasRoom || ofTeam >= MAX_OF_TEAM) continue;
    if (webhooks.has(candidate.webhookId)) continue;
    const isFewer = (than: NonNullable<typeof next>) =>
      ofMaker < than.ofMaker || (ofMaker === than.ofMaker && ofTeam < than.ofTeam);
    if (next === null || isFewer(next)) next = { candidate, ofMaker, ofTeam };
  }
  return next?.candidate ?? null;
}

function countBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return counts;
}
