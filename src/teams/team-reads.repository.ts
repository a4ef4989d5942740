import { Inject, Injectable } from '@nestjs/common';
import type { TeamRole } from '../access/roles.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Limits } from '../config/plan-limits.js';
import { Database } from '../database/database.js';
import { type Page, type PageRequest, pageOf } from './page.js';
import type { FoundTeam, Team, TeamRef } from './team.js';
import { TeamIds } from './team-ids.repository.js';

type TeamRow = Omit<FoundTeam, 'usage' | 'limit'> & Limits;

/** The reads of teams that are called all the time: prepared SQL, each one round trip. */
@Injectable()
export class TeamReadsRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: TeamIds,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The team, and the user's role in it (null: none); null: no such team. */
  find(ref: TeamRef, userId: string): Promise<FoundTeam | null> {
    return this.ids.resolve(ref, async (id, slug) => {
      const [row] = await this.database.query<TeamRow>(FIND, [id, slug, userId]);
      return row ? this.toTeam(row, row.role) : null;
    });
  }

  /** The user's teams, oldest first. */
  async list(userId: string, page: PageRequest): Promise<Page<Team>> {
    const { limit, after } = page;
    const most = limit === undefined ? null : limit + 1;
    const values = [userId, after?.at ?? null, after?.id ?? null, most];
    const rows = await this.database.query<TeamRow & { role: TeamRole }>(LIST, values);
    const teams = rows.map((row) => this.toTeam(row, row.role));
    return pageOf(teams, page, ({ createdAt, id }) => ({ at: createdAt, id }));
  }

  /** Field by field: to copy the others of an object is slow, and lists are long. */
  private toTeam<Role>(row: TeamRow, role: Role): Omit<Team, 'role'> & { role: Role } {
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
}

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
