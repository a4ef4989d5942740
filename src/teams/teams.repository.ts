import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TeamRole } from '../access/roles.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Plan } from '../config/plan-limits.js';
import { Database } from '../database/database.js';
import { violatedConstraint } from '../database/database-errors.js';
import { isPossibleId, isPossibleSlug, newId } from '../database/ids.js';
import { conflict } from '../errors/domain-error.js';
import type { NewTeam, Team, TeamChanges, TeamRef } from './team.js';

interface TeamRow {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  logo: string | null;
  plan: Plan;
  invite_code: string;
  billing_cycle_start: Date;
  usage_pages: number;
  usage_users: number;
  usage_workspaces: number;
  created_at: Date;
  updated_at: Date;
  role: TeamRole | null;
}

@Injectable()
export class TeamsRepository {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The team and the user's role in it (null: none), in one round trip; null: no such team. */
  async find(
    ref: TeamRef,
    userId: string,
  ): Promise<(Omit<Team, 'role'> & { role: TeamRole | null }) | null> {
    if (!isPossible(ref)) return null;
    const [row] =
      ref.slug === undefined
        ? await this.database.query<TeamRow>(FIND_BY_ID, [ref.id, userId])
        : await this.database.query<TeamRow>(FIND_BY_SLUG, [ref.slug, userId]);
    return row ? this.toTeam(row, row.role) : null;
  }

  /** The user's teams, oldest first. */
  async list(userId: string): Promise<Team[]> {
    const rows = await this.database.query<TeamRow & { role: TeamRole }>(LIST, [userId]);
    return rows.map((row) => this.toTeam(row, row.role));
  }

  /**
   * Makes a team with its first member, the owner.
   * @throws DomainError conflict: the slug is taken
   */
  async create(userId: string, team: NewTeam): Promise<Team> {
    const [row] = await takingSlug(team.slug, () =>
      this.database.query<TeamRow>(CREATE, [
        newId(),
        team.slug,
        team.name,
        team.description ?? null,
        newInviteCode(),
        userId,
      ]),
    );
    return this.toTeam(row as TeamRow, 'owner');
  }

  /**
   * Changes what `changes` names.
   * @throws DomainError conflict: the slug is taken
   */
  async update(team: Team, changes: TeamChanges): Promise<Team> {
    const [row] = await takingSlug(changes.slug, () =>
      this.database.query<TeamRow>(UPDATE, [
        team.id,
        changes.name ?? null,
        changes.slug ?? null,
        changes.description !== undefined,
        changes.description ?? null,
      ]),
    );
    return this.toTeam(row as TeamRow, team.role);
  }

  private toTeam<Role>(row: TeamRow, role: Role): Omit<Team, 'role'> & { role: Role } {
    return {
      id: row.id,
      slug: row.slug,
      name: row.name,
      description: row.description,
      logo: row.logo,
      plan: row.plan,
      inviteCode: row.invite_code,
      billingCycleStart: row.billing_cycle_start,
      usage: { pages: row.usage_pages, users: row.usage_users, workspaces: row.usage_workspaces },
      limit: this.config.planLimits[row.plan],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      role,
    };
  }
}

/** 24 characters, 144 bits, from a cryptographic source. */
export const newInviteCode = (): string => randomBytes(18).toString('base64url');

/** False for a reference that can name no team. */
export const isPossible = (ref: TeamRef): boolean =>
  ref.slug === undefined ? isPossibleId(ref.id ?? '') : isPossibleSlug(ref.slug);

async function takingSlug<T>(slug: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== 'teams_slug_key') throw error;
    throw conflict(`slug ${slug} is already taken`);
  }
}

const FIND = `
  SELECT t.*, u.pages AS usage_pages, u.users AS usage_users, u.workspaces AS usage_workspaces, m.role
  FROM teams t
  JOIN team_usage u ON u.team_id = t.id
  LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = $2`;
const FIND_BY_SLUG = { name: 'teams.findBySlug', text: `${FIND} WHERE t.slug = $1` };
const FIND_BY_ID = { name: 'teams.findById', text: `${FIND} WHERE t.id = $1` };

const LIST = {
  name: 'teams.list',
  text: `
    SELECT t.*, u.pages AS usage_pages, u.users AS usage_users, u.workspaces AS usage_workspaces, m.role
    FROM team_members m JOIN teams t ON t.id = m.team_id JOIN team_usage u ON u.team_id = t.id
    WHERE m.user_id = $1 ORDER BY t.created_at, t.id`,
};

const CREATE = {
  name: 'teams.create',
  text: `
    WITH team AS (
      INSERT INTO teams (id, slug, name, description, invite_code)
      VALUES ($1, $2, $3, $4, $5) RETURNING *
    ), owner AS (
      INSERT INTO team_members (team_id, user_id, role) SELECT id, $6, 'owner' FROM team
    ), usage AS (
      INSERT INTO team_usage (team_id, users) SELECT id, 1 FROM team
    )
    SELECT *, 0 AS usage_pages, 1 AS usage_users, 0 AS usage_workspaces FROM team`,
};

const UPDATE = {
  name: 'teams.update',
  text: `
    UPDATE teams SET name = coalesce($2, name), slug = coalesce($3, slug),
      description = CASE WHEN $4 THEN $5 ELSE description END, updated_at = now()
    WHERE id = $1 RETURNING *,
      (SELECT pages FROM team_usage WHERE team_id = $1) AS usage_pages,
      (SELECT users FROM team_usage WHERE team_id = $1) AS usage_users,
      (SELECT workspaces FROM team_usage WHERE team_id = $1) AS usage_workspaces`,
};
