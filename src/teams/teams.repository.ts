import { Inject, Injectable } from '@nestjs/common';
import type { TeamRole } from '../access/roles.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Plan } from '../config/plan-limits.js';
import type { Transaction } from '../database/database.js';
import { violatedConstraint } from '../database/database-errors.js';
import { newId } from '../database/ids.js';
import { type FoundTeam, type NewTeam, slugTaken, type TeamChanges } from './team.js';

/** Teams within a transaction. */
@Injectable()
export class TeamsRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The team, and the user's role in it (null: none); null: no such team. */
  async find(tx: Transaction, teamId: string, userId: string): Promise<FoundTeam | null> {
    const found = await tx.team.findUnique({
      where: { id: teamId },
      include: { usage: true, members: { where: { userId }, select: { role: true } } },
    });
    if (!found) return null;
    const { usage, members, ...team } = found;
    const { pages = 0, users = 0, workspaces = 0 } = usage ?? {};
    return {
      ...team,
      plan: team.plan as Plan,
      usage: { pages, users, workspaces },
      limit: this.config.planLimits[team.plan as Plan],
      role: (members[0]?.role as TeamRole | undefined) ?? null,
    };
  }

  /** The id of the team that has this invite code; null: none has. */
  async findByInviteCode(tx: Transaction, inviteCode: string): Promise<string | null> {
    const team = await tx.team.findUnique({ where: { inviteCode }, select: { id: true } });
    return team?.id ?? null;
  }

  /**
   * Makes a team with its first member, the owner.
   * @returns the id
   * @throws DomainError conflict: the slug is taken
   */
  async create(
    tx: Transaction,
    { name, slug, description = null }: NewTeam,
    inviteCode: string,
    ownerId: string,
  ): Promise<string> {
    const id = newId();
    const members = { create: { userId: ownerId, role: 'owner' } };
    const data = {
      id,
      name,
      slug,
      description,
      inviteCode,
      members,
      usage: { create: { users: 1 } },
    };
    await takingSlug(slug, tx.team.create({ data, select: { id: true } }));
    return id;
  }

  /**
   * Changes what `changes` names.
   * @throws DomainError conflict: the slug is taken
   */
  async update(
    tx: Transaction,
    teamId: string,
    { name, slug, description }: TeamChanges,
  ): Promise<void> {
    const data = {
      ...(name !== undefined && { name }),
      ...(slug !== undefined && { slug }),
      ...(description !== undefined && { description }),
      updatedAt: new Date(),
    };
    await takingSlug(slug, tx.team.update({ where: { id: teamId }, data, select: { id: true } }));
  }

  /** Gives the team another invite code; the one before opens nothing any more. */
  async setInviteCode(tx: Transaction, teamId: string, inviteCode: string): Promise<void> {
    const data = { inviteCode, updatedAt: new Date() };
    await tx.team.update({ where: { id: teamId }, data, select: { id: true } });
  }
}

async function takingSlug(slug: string | undefined, write: PromiseLike<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (violatedConstraint(error) !== 'teams_slug_key') throw error;
    throw slugTaken(slug);
  }
}
