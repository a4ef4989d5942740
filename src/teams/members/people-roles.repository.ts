import { Injectable } from '@nestjs/common';
import { enforceTeam } from '../../access/enforce.js';
import type { TeamRole } from '../../access/roles.js';
import type { TeamAction } from '../../access/table.js';
import type { Transaction } from '../../database/database.js';
import { isPossibleId } from '../../database/ids.js';
import { conflict, notFound } from '../../errors/domain-error.js';
import { PeopleGate } from '../people-gate.repository.js';

/**
 * The roles of people in a team, as they are inside a transaction that is about to change who is in
 * it: behind the gate nobody else changes them.
 */
@Injectable()
export class PeopleRoles {
  constructor(private readonly gate: PeopleGate) {}

  /**
   * Closes the team's gate, then asks again whether the actor may: what the service has read may
   * have changed since.
   * @returns the actor's role
   * @throws DomainError forbidden
   */
  async enter(
    tx: Transaction,
    teamId: string,
    actorId: string,
    action: TeamAction,
  ): Promise<TeamRole> {
    await this.gate.close(tx, teamId);
    const role = await find(tx, teamId, actorId);
    enforceTeam(action, role);
    return role;
  }

  /** @throws DomainError not_found: not in the team */
  async of(tx: Transaction, teamId: string, userId: string): Promise<TeamRole> {
    const role = isPossibleId(userId) ? await find(tx, teamId, userId) : null;
    if (role === null) throw notFound('member');
    return role;
  }

  /** To be called after the change. @throws DomainError conflict: it took the last owner */
  async assertHasOwner(tx: Transaction, teamId: string): Promise<void> {
    const owner = await tx.teamMember.findFirst({
      where: { teamId, role: 'owner' },
      select: { userId: true },
    });
    if (!owner) throw conflict('a team needs an owner: make somebody else one first');
  }
}

async function find(tx: Transaction, teamId: string, userId: string): Promise<TeamRole | null> {
  const member = await tx.teamMember.findUnique({
    where: { teamId_userId: { teamId, userId } },
    select: { role: true },
  });
  return (member?.role as TeamRole | undefined) ?? null;
}
