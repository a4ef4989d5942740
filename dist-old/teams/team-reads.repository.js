var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import { Database, } from '../database/database.js';
import { pageOf } from './page.js';
import { TeamIds } from './team-ids.repository.js';
/** The reads of teams that are called all the time: prepared SQL, each one round trip. */
let TeamReadsRepository = class TeamReadsRepository {
    database;
    ids;
    config;
    constructor(database, ids, config) {
        this.database = database;
        this.ids = ids;
        this.config = config;
    }
    /** The team, and the user's role in it (null: none); null: no such team. */
    find(ref, userId) {
        return this.ids.resolve(ref, async (id, slug) => {
            const [row] = await this.database.query(FIND, [id, slug, userId]);
            return row ? this.toTeam(row, row.role) : null;
        });
    }
    /**
     * What the statement reads of the team, and what decides on access to it; null: no such team.
     * @param read a statement such as MEMBERS, and its values from $4 on
     * @returns a row for each that the statement finds, or one with an id of null
     */
    read(ref, userId, [statement, values]) {
        return this.ids.resolve(ref, async (id, slug) => {
            const by = { callerId: userId, teamId: id };
            const all = [id, slug, userId, ...values];
            const [first, ...others] = await this.database.query(statement, all, by);
            return first ? [first, ...others] : null;
        });
    }
    /** The same within a transaction, where a slug may change: by id. */
    async findIn(tx, teamId, userId) {
        const [row] = await tx.query(FIND, [teamId, null, userId]);
        return row ? this.toTeam(row, row.role) : null;
    }
    /** The user's teams, oldest first. */
    async list(userId, page) {
        const { limit, after } = page;
        const most = limit === undefined ? null : limit + 1;
        const values = [userId, after?.at ?? null, after?.id ?? null, most];
        const rows = await this.database.query(LIST, values);
        const teams = rows.map((row) => this.toTeam(row, row.role));
        return pageOf(teams, page, ({ createdAt, id }) => ({ at: createdAt, id }));
    }
    /** Field by field: to copy the others of an object is slow, and lists are long. */
    toTeam(row, role) {
        return {
            id: row.id,
            slug: row.slug,
            name: row.name,
            description: row.description,
            logo: row.logo,
            plan: row.plan,
            inviteCode: row.inviteCode,
            billingCycleStart: row.billingCycleStart,
            usage: { pages: row.pages, users: row.users, workspaces: row.workspaces },
            limit: this.config.planLimits[row.plan],
            createdAt: row.createdAt,
            updatedAt: row.updatedAt,
            role,
        };
    }
};
TeamReadsRepository = __decorate([
    Injectable(),
    __param(2, Inject(CONFIG)),
    __metadata("design:paramtypes", [Database,
        TeamIds, Object])
], TeamReadsRepository);
export { TeamReadsRepository };
const COLUMNS = `t.id, t.slug, t.name, t.description, t.logo, t.plan, t.invite_code AS "inviteCode",
  t.billing_cycle_start AS "billingCycleStart", t.created_at AS "createdAt",
  t.updated_at AS "updatedAt", u.pages, u.users, u.workspaces, m.role`;
const FIND = {
    name: 'teams.find',
    text: `
    SELECT ${COLUMNS}
    FROM teams t
    JOIN team_usage u ON u.team_id = $1
    LEFT JOIN team_members m ON m.team_id = $1 AND m.user_id = $3
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)`,
};
/** The array keeps PostgreSQL from reading all teams where it takes a user to have very many. */
const LIST = {
    name: 'teams.list',
    text: `
    SELECT ${COLUMNS}
    FROM teams t
    JOIN team_usage u ON u.team_id = t.id
    JOIN team_members m ON m.team_id = t.id AND m.user_id = $1
    WHERE t.id = ANY (ARRAY (SELECT team_id FROM team_members WHERE user_id = $1))
      AND ($2::timestamptz IS NULL OR (t.created_at, t.id) > ($2, $3::uuid))
    ORDER BY t.created_at, t.id
    LIMIT $4`,
};
/** For read(): a page of the members, the longest-standing first, as readPage() asks for it. */
export const MEMBERS = {
    name: 'teams.members',
    text: `
    SELECT t.id AS "teamId", tm.role AS "teamRole", m.*
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (
      SELECT m.user_id AS id, m.joined_at AS at, p.name, p.email, p.image, m.role
      FROM team_members m JOIN users p ON p.id = m.user_id
      WHERE m.team_id = $1
        AND ($4::timestamptz IS NULL OR (m.joined_at, m.user_id) > ($4, $5::uuid))
      ORDER BY m.joined_at, m.user_id LIMIT $6
    ) m ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY m.at, m.id`,
};
//# sourceMappingURL=team-reads.repository.js.map