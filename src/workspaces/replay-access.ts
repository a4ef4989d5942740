import { type ArgumentsHost, Global, Injectable, Module } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { DomainError } from '../errors/domain-error.js';
import { PresentAccess } from '../idempotency/present-access.js';
import type { TeamRef } from '../teams/team.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TeamsService } from '../teams/teams.service.js';
import { WorkspacesModule } from './workspaces.module.js';
import { WorkspacesService } from './workspaces.service.js';

/** What the caller of a replay may see now. */
@Injectable()
class ReplayAccess implements PresentAccess {
  constructor(
    private readonly teams: TeamsService,
    private readonly workspaces: WorkspacesService,
  ) {}

  async assertMayRead(actor: Actor, host: ArgumentsHost): Promise<void> {
    const { team, slug } = namedBy(host.switchToHttp().getRequest<FastifyRequest>());
    if (slug !== undefined) {
      await this.workspaces.forAction(actor, { team, slug }, 'workspace.read');
    } else if (team.slug !== undefined) {
      await this.teams.forAction(actor, team, 'team.read');
    }
  }

  /** The invite code of a Team is for those who would see it there now; '' for others. */
  async asSeenNow(actor: Actor, answer: string): Promise<string> {
    if (!answer.includes('"inviteCode":"')) return answer;
    const body = JSON.parse(answer) as { _id?: string; inviteCode?: string };
    if (!body.inviteCode || body._id === undefined) return answer;
    const isSeen = await this.teams.forAction(actor, { id: body._id }, 'team.read').then(
      ({ inviteCode }) => inviteCode !== '',
      (error: unknown) => {
        if (error instanceof DomainError) return false;
        throw error;
      },
    );
    return isSeen ? answer : JSON.stringify({ ...body, inviteCode: '' });
  }
}

/** Global, as IdempotencyModule is: controllers upstream are repeatable, too. */
@Global()
@Module({
  imports: [TeamsModule, WorkspacesModule],
  providers: [{ provide: PresentAccess, useClass: ReplayAccess }],
  exports: [PresentAccess],
})
export class ReplayAccessModule {}

/**
 * The team and the workspace that a request names: in its path, or in the query where the route is
 * short for collections. The very same request has succeeded before, so all of it is well-formed.
 */
function namedBy({ params, query, routeOptions }: FastifyRequest): {
  team: TeamRef;
  slug: string | undefined;
} {
  const { teamId, ...inQuery } = query as Record<string, string | undefined>;
  const isShort = routeOptions.url?.startsWith('/collections');
  const { team_slug, workspace_slug } = (isShort ? inQuery : params) as typeof inQuery;
  return { team: { slug: team_slug, id: teamId }, slug: workspace_slug };
}
