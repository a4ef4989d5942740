import { violatedConstraint } from '@teamspaces/pg-lanes/driver-errors';
import type { Limits } from '../config/plan-limits.js';
import type { Transaction } from '../database/database.js';
import { limitReached } from './errors.js';
import { type Team } from './team.js';

/** What is counted: collections are limited as pages are, and not shown. */
type Usage = Limits & { collections: number };

/** Counts one more. @throws DomainError forbidden: that passes the plan's limit */
export function growUsage(
  tx: Transaction,
  team: Pick<Team, 'id' | 'plan' | 'limit'>,
  resource: keyof typeof GROW,
): void {
  tx.write(GROW[resource], [team.id, team.limit[resource]], (error) =>
    violatedConstraint(error) === 'team_usage_check' ? limitReached(team, resource) : error,
  );
}

/** Counts items that come together. @throws DomainError forbidden: they pass the plan's limit */
export function growItems(
  tx: Transaction,
  team: Pick<Team, 'id' | 'plan' | 'limit'>,
  { pages, collections }: { pages: number; collections: number },
): void {
  tx.write(GROW_ITEMS, [team.id, pages, collections, team.limit.pages], (error) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'team_usage_check') return limitReached(team, 'pages');
    if (constraint === 'team_usage_collections_check') return limitReached(team, 'collections');
    return error;
  });
}

/** Counts what is gone. */
export function shrinkUsage(
  tx: Transaction,
  teamId: string,
  { pages = 0, users = 0, workspaces = 0, collections = 0 }: Partial<Usage>,
): void {
  tx.write(SHRINK, [teamId, pages, users, workspaces, collections]);
}

/** -1 if one more exceeds the limit $2, which is 0 for any number: violates team_usage_check. */
const grown = (column: string): string => `
    UPDATE team_usage
    SET ${column} = CASE WHEN $2::int = 0 OR ${column} < $2::int THEN ${column} + 1 ELSE -1 END
    WHERE team_id = $1`;

const GROW = {
  users: { name: 'teamUsage.addUser', text: grown('users') },
  workspaces: { name: 'teamUsage.addWorkspace', text: grown('workspaces') },
};

/** -1 if this many more exceed the limit, which is 0 for any number; fewer never do. */
const grownBy = (column: string, more: string, limit: string): string => `
    ${column} = CASE
      WHEN ${more}::int <= 0 OR ${limit} = 0 OR team_usage.${column} + ${more}::int <= ${limit}
        THEN team_usage.${column} + ${more}::int
      ELSE -1 END`;

const GROW_ITEMS = {
  name: 'teamUsage.addItems',
  text: `
    UPDATE team_usage SET${grownBy('pages', '$2', '$4::int')},${grownBy('collections', '$3', '$4::int')}
    WHERE team_id = $1`,
};

/**
 * SQL that counts pages and collections that came to a tree or went from it. Past the limit, it violates
 * team_usage_check or team_usage_collections_check. $1 and $2 are the team and the workspace.
 * @param limits how many of each a plan allows
 * @param workspace where the row of the workspace is: without it, nothing is counted
 */
export const countItems = (
  pages: string,
  collections: string,
  limits: string,
  workspace: string,
): string => `
  UPDATE team_usage SET${grownBy('pages', pages, 'allowed.items')},${grownBy('collections', collections, 'allowed.items')}
  FROM (SELECT (${limits}::json ->> plan)::int AS items FROM teams WHERE id = $1) AS allowed
  WHERE team_usage.team_id = $1 AND (${pages}::int <> 0 OR ${collections}::int <> 0)
    AND EXISTS (SELECT FROM ${workspace} w WHERE w.team_id = $1 AND w.id = $2)`;

const SHRINK = {
  name: 'teamUsage.shrink',
  text: `
    UPDATE team_usage SET pages = pages - $2, users = users - $3, workspaces = workspaces - $4,
      collections = collections - $5
    WHERE team_id = $1`,
};
