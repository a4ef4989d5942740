import { type ArgumentsHost, Global, Injectable, Module } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { DomainError } from '../errors/domain-error.js';
import type { KeyScope } from '../idempotency/once.js';
import { PresentAccess } from '../idempotency/present-access.js';
import type { TeamRef } from '../teams/team.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TeamsService } from '../teams/teams.service.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { Item } from './collection.js';
import { CollectionsModule } from './collections.module.js';
import { CollectionsService } from './collections.service.js';

/** What the caller of a replay may see now. */
@Injectable()
class ReplayAccess implements PresentAccess {
  constructor(
    private readonly teams: TeamsService,
    private readonly workspaces: WorkspacesService,
    private readonly collections: CollectionsService,
  ) {}

  async readableScope(actor: Actor, host: ArgumentsHost): Promise<KeyScope> {
    const { team, slug } = namedBy(host.switchToHttp().getRequest<FastifyRequest>());
    if (slug !== undefined) {
      const workspace = await this.workspaces.forAction(actor, { team, slug }, 'workspace.read');
      return { teamId: workspace.teamId, workspaceId: workspace.id };
    }
    if (team.slug === undefined) return { teamId: null, workspaceId: null };
    const { id } = await this.teams.forAction(actor, team, 'team.read');
    return { teamId: id, workspaceId: null };
  }

  asSeenNow(actor: Actor, answer: string): Promise<string> {
    return lacksContent(answer) ? this.withContent(actor, answer) : this.ofTeam(actor, answer);
  }

  /** The content of a page as getCollection has it for the caller now; none where that is an error. */
  private async withContent(actor: Actor, answer: string): Promise<string> {
    const { id } = JSON.parse(answer) as { id: string };
    const anywhere = { team: {}, workspaceSlug: undefined };
    try {
      const { item } = await this.collections.get(actor, anywhere, id, false);
      return withContent(answer, item);
    } catch (error) {
      if (error instanceof DomainError) return answer;
      throw error;
    }
  }

  /** The invite code of a Team is for those who would see it there now; '' for others. */
  private async ofTeam(actor: Actor, answer: string): Promise<string> {
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
  imports: [TeamsModule, WorkspacesModule, CollectionsModule],
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

/** True for the text of a page whose content was left out. Quotes inside a name are escaped. */
const lacksContent = (text: string): boolean =>
  text.startsWith('{"id":') && !text.includes('"content":');

/** The text of a page that was kept without its content, with that of `item`. */
const withContent = (text: string, { content }: Item): string =>
  `${text.slice(0, -1)},"content":${content ?? '{}'}}`;
