var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
import { violatedConstraint } from '../database/database-errors.js';
import { limitReached } from './team.js';
/**
 * The counters of a team: they equal the rows at every commit. All writers of a team share the row:
 * change it last, right before the commit.
 */
let TeamUsageRepository = class TeamUsageRepository {
    /** Counts one more. @throws DomainError forbidden: that passes the plan's limit */
    grow(tx, team, resource) {
        tx.write(GROW[resource], [team.id, team.limit[resource]], (error) => violatedConstraint(error) === 'team_usage_check' ? limitReached(team, resource) : error);
    }
    /** Counts items that come together. @throws DomainError forbidden: they pass the plan's limit */
    growItems(tx, team, { pages, collections }) {
        tx.write(GROW_ITEMS, [team.id, pages, collections, team.limit.pages], (error) => {
            const constraint = violatedConstraint(error);
            if (constraint === 'team_usage_check')
                return limitReached(team, 'pages');
            if (constraint === 'team_usage_collections_check')
                return limitReached(team, 'collections');
            return error;
        });
    }
    /** Counts what is gone. */
    shrink(tx, teamId, { pages = 0, users = 0, workspaces = 0, collections = 0 }) {
        tx.write(SHRINK, [teamId, pages, users, workspaces, collections]);
    }
};
TeamUsageRepository = __decorate([
    Injectable()
], TeamUsageRepository);
export { TeamUsageRepository };
/** -1 if one more exceeds the limit $2, which is 0 for any number: violates team_usage_check. */
const grown = (column) => `
    UPDATE team_usage
    SET ${column} = CASE WHEN $2::int = 0 OR ${column} < $2::int THEN ${column} + 1 ELSE -1 END
    WHERE team_id = $1`;
const GROW = {
    users: { name: 'teamUsage.addUser', text: grown('users') },
    workspaces: { name: 'teamUsage.addWorkspace', text: grown('workspaces') },
};
/** -1 if this many more exceed the limit $4, which is 0 for any number; none never do. */
const grownBy = (column, more) => `
      ${column} = CASE
        WHEN ${more}::int = 0 OR $4::int = 0 OR ${column} + ${more}::int <= $4::int
          THEN ${column} + ${more}::int
        ELSE -1 END`;
const GROW_ITEMS = {
    name: 'teamUsage.addItems',
    text: `
    UPDATE team_usage SET${grownBy('pages', '$2')},${grownBy('collections', '$3')}
    WHERE team_id = $1`,
};
const SHRINK = {
    name: 'teamUsage.shrink',
    text: `
    UPDATE team_usage SET pages = pages - $2, users = users - $3, workspaces = workspaces - $4,
      collections = collections - $5
    WHERE team_id = $1`,
};
//# sourceMappingURL=team-usage.repository.js.map