import { type Options, Resource, type Transport } from './resource.js';
import type { FoundCollection } from './schema.js';
import { AnyItemResource, WorkspaceResource } from './workspace.js';

/** The operations of the API as methods; `/docs` describes each by its route. */
export class Resources extends Resource {
  /** The teams of the caller. */
  readonly teams = new TeamsResource(this.transport, {});
  /** The invites that were sent to the caller. */
  readonly invites = new MyInvitesResource(this.transport, {});
  /** Collections and pages of any workspace by their ids. */
  readonly items = new AnyItemResource(this.transport, {});
  /** The caller, as the token names them. */
  readonly me = this.operation('get', '/me');

  constructor(transport: Transport) {
    super(transport, {});
  }

  /** One team: its people, workspaces and trash. Sends no request. */
  team(slug: string): TeamResource {
    return new TeamResource(this.transport, { team_slug: slug });
  }

  /** One workspace: its tree, people and trash. Sends no request. */
  workspace(teamSlug: string, workspaceSlug: string): WorkspaceResource {
    const known = { team_slug: teamSlug, workspace_slug: workspaceSlug };
    return new WorkspaceResource(this.transport, known);
  }
}

export class TeamsResource extends Resource {
  readonly list = this.listOperation('/teams');
  readonly create = this.operationWithBody('post', '/teams');
  readonly get = this.operation('get', '/teams/{team_slug}');
  readonly update = this.operationWithBody('put', '/teams/{team_slug}');
  /** Joins the team that has this invite code. */
  readonly join = this.operationWithBody('post', '/teams/join');
}

export class MyInvitesResource extends Resource {
  readonly list = this.listOperation('/invites');
  readonly accept = this.operation('post', '/invites/{invite_id}/accept');
  readonly decline = this.operation('post', '/invites/{invite_id}/decline');
}

export class TeamResource extends Resource<'team_slug'> {
  readonly members = new TeamMembersResource(this.transport, this.known);
  readonly invites = new TeamInvitesResource(this.transport, this.known);
  readonly workspaces = new WorkspacesResource(this.transport, this.known);
  /** The deleted workspaces. */
  readonly trash = new DeletedWorkspacesResource(this.transport, this.known);
  /** Addresses that are told of changes; for owners. */
  readonly webhooks = new WebhooksResource(this.transport, this.known);
  /** Who did what, newest first; for owners. */
  readonly auditLog = this.listOperation('/teams/{team_slug}/audit-log');
  readonly renewInviteCode = this.operation('post', '/teams/{team_slug}/invite-code');
  readonly #search = this.operation('get', '/teams/{team_slug}/search');

  /** `workspace().search()` in all workspaces of the team whose content you may read. */
  search(
    q: string,
    options?: Omit<Options<'get', '/teams/{team_slug}/search'>, 'q'>,
  ): Promise<FoundCollection[]> {
    return this.#search({ ...options, q });
  }
}

export class WebhooksResource extends Resource<'team_slug'> {
  readonly list = this.operation('get', '/teams/{team_slug}/webhooks');
  /** The response has the secret, which is shown only once. */
  readonly create = this.operationWithBody('post', '/teams/{team_slug}/webhooks');
  readonly get = this.operation('get', '/teams/{team_slug}/webhooks/{webhook_id}');
  readonly update = this.operationWithBody('put', '/teams/{team_slug}/webhooks/{webhook_id}');
  readonly delete = this.operation('delete', '/teams/{team_slug}/webhooks/{webhook_id}');
  readonly renewSecret = this.operation('post', '/teams/{team_slug}/webhooks/{webhook_id}/secret');
  /** Has a test message sent: the deliveries show what comes of it. */
  readonly test = this.operation('post', '/teams/{team_slug}/webhooks/{webhook_id}/test');
  /** The last attempts, newest first. */
  readonly deliveries = this.operation(
    'get',
    '/teams/{team_slug}/webhooks/{webhook_id}/deliveries',
  );
}

export class TeamMembersResource extends Resource<'team_slug'> {
  readonly list = this.listOperation('/teams/{team_slug}/members');
  readonly update = this.operationWithBody('put', '/teams/{team_slug}/members');
  readonly remove = this.operationWithBody('delete', '/teams/{team_slug}/members');
}

export class TeamInvitesResource extends Resource<'team_slug'> {
  readonly list = this.listOperation('/teams/{team_slug}/invites');
  readonly send = this.operationWithBody('post', '/teams/{team_slug}/invites');
  readonly revoke = this.operation('delete', '/teams/{team_slug}/invites/{invite_id}');
}

export class WorkspacesResource extends Resource<'team_slug'> {
  readonly list = this.listOperation('/teams/{team_slug}/workspaces');
  readonly create = this.operationWithBody('post', '/teams/{team_slug}/workspaces');
  readonly get = this.operation('get', '/teams/{team_slug}/workspaces/{workspace_slug}');
  readonly update = this.operationWithBody('put', '/teams/{team_slug}/workspaces/{workspace_slug}');
  /** Moves the workspace to the trash of the team. */
  readonly delete = this.operation('delete', '/teams/{team_slug}/workspaces/{workspace_slug}');
  /** Its content can only be read from then on. */
  readonly archive = this.operation(
    'post',
    '/teams/{team_slug}/workspaces/{workspace_slug}/archive',
  );
  readonly unarchive = this.operation(
    'post',
    '/teams/{team_slug}/workspaces/{workspace_slug}/unarchive',
  );
}

export class DeletedWorkspacesResource extends Resource<'team_slug'> {
  readonly list = this.listOperation('/teams/{team_slug}/trash');
  readonly restore = this.operation('post', '/teams/{team_slug}/trash/{workspace_id}/restore');
  readonly purge = this.operation('delete', '/teams/{team_slug}/trash/{workspace_id}');
}
