import {
  ConflictError,
  createClient,
  type TeamspacesClient,
  TeamspacesError,
  UnauthorizedError,
} from 'teamspaces-client';
import type { DemoPerson, DemoTeam, DemoWorkspace } from './organisation.js';

/** Makes what is missing of the demo, each thing by the person whose it is. */
export class Filling {
  /** What was made, a sentence each. */
  readonly made: string[] = [];

  /** @param tokenOf signs in as somebody */
  constructor(
    private readonly url: string,
    private readonly tokenOf: (person: DemoPerson) => string,
  ) {}

  /**
   * Asks the service who this is: whether it answers, and takes our tokens.
   * @throws Error with a sentence about what to do
   */
  async check(person: DemoPerson): Promise<void> {
    try {
      const baseUrl = this.url;
      await createClient({ baseUrl, token: this.tokenOf(person), retry: { attempts: 1 } }).GET(
        '/me',
      );
    } catch (error) {
      if (error instanceof UnauthorizedError) {
        throw new Error(
          `The service at ${this.url} refuses the tokens (${error.message}): give the demo the DATA_DIR, ` +
            'AUTH_JWT_SECRET, AUTH_ISSUER and AUTH_AUDIENCE of the service.',
        );
      }
      if (error instanceof TeamspacesError) throw error;
      throw new Error(
        `There is no service at ${this.url}: start it with npm start, or set TEAMSPACES_URL.`,
      );
    }
  }

  /** Makes what is missing of a team. What is there stays as it is, also where people changed it. */
  async fill(team: DemoTeam): Promise<void> {
    await this.makeTeam(team);
    await this.addMembers(team);
    await this.sendInvites(team);
    for (const workspace of team.workspaces) {
      await this.makeWorkspace(team, workspace);
      await this.addWorkspaceMembers(team, workspace);
      await this.makeContent(team, workspace);
    }
  }

  private as(person: DemoPerson): TeamspacesClient {
    return createClient({ baseUrl: this.url, token: this.tokenOf(person) });
  }

  private async makeTeam({ name, slug, description, owner }: DemoTeam): Promise<void> {
    const api = this.as(owner);
    const isThere = async () => (await api.GET('/teams')).some(({ meta }) => meta.slug === slug);
    if (await isThere()) return;
    try {
      await api.POST('/teams', { body: { name, slug, description } });
      this.made.push(`Made the team ${name}.`);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // Another demo was quicker.
      if (await isThere()) return;
      throw new Error(
        `The team ${slug} is somebody else's in this service: there is no room for the demo.`,
      );
    }
  }

  private async addMembers({ name, slug, owner, members }: DemoTeam): Promise<void> {
    const team = { path: { team_slug: slug } };
    const { users } = await this.as(owner).GET('/teams/{team_slug}/members', { params: team });
    const known = new Set(users.map(({ email }) => email));
    for (const { person, role } of members.filter(({ person: { email } }) => !known.has(email))) {
      const isNew = await unlessThere(async () => {
        const sent = await this.as(owner).POST('/teams/{team_slug}/invites', {
          params: team,
          body: { invites: [{ email: person.email, role }] },
        });
        await this.as(person).POST('/invites/{invite_id}/accept', {
          params: { path: { invite_id: sent.users[0]?._id ?? '' } },
        });
      });
      if (isNew) this.made.push(`${person.name} is in ${name}, as ${role}.`);
    }
  }

  /** Those who are members, or whose invite is still good, get none. */
  private async sendInvites({ name, slug, owner, invites }: DemoTeam): Promise<void> {
    const team = { path: { team_slug: slug } };
    const api = this.as(owner);
    const members = await api.GET('/teams/{team_slug}/members', { params: team });
    const sent = await api.GET('/teams/{team_slug}/invites', { params: team });
    const pending = sent.users.filter(({ expires }) => Date.parse(expires) > Date.now());
    const known = new Set([...members.users, ...pending].map(({ email }) => email));
    const missing = invites.filter(({ email }) => !known.has(email));
    if (missing.length === 0) return;
    await api.POST('/teams/{team_slug}/invites', { params: team, body: { invites: missing } });
    for (const { email, role } of missing) {
      this.made.push(`Invited ${email} to ${name}, as ${role}.`);
    }
  }

  private async makeWorkspace(team: DemoTeam, workspace: DemoWorkspace): Promise<void> {
    const { name, slug, description, visibility, defaultAccess, creator } = workspace;
    const params = { path: { team_slug: team.slug } };
    const api = this.as(creator);
    const isThere = async () => {
      const seen = await api.GET('/teams/{team_slug}/workspaces', { params });
      return seen.some(({ meta }) => meta.slug === slug);
    };
    if (await isThere()) return;
    const made = await api.POST('/teams/{team_slug}/workspaces', {
      params,
      body: { name, description, visibility, defaultAccess },
    });
    if (made.meta.slug === slug) {
      this.made.push(`Made the ${visibility} workspace ${name}.`);
      return;
    }
    // The slug was taken: another demo was quicker, or the workspace is hidden from its creator.
    const path = { ...params.path, workspace_slug: made.meta.slug };
    await api.DELETE('/teams/{team_slug}/workspaces/{workspace_slug}', { params: { path } });
    if (await isThere()) return;
    throw new Error(
      `The workspace ${slug} of ${team.slug} is there, but hidden from ${creator.name}: let them in, or delete it.`,
    );
  }

  private async addWorkspaceMembers(
    team: DemoTeam,
    { name, slug, creator, members }: DemoWorkspace,
  ): Promise<void> {
    const params = { path: { team_slug: team.slug, workspace_slug: slug } };
    const path = '/teams/{team_slug}/workspaces/{workspace_slug}/members';
    const { users } = await this.as(creator).GET(path, { params });
    const known = new Set(users.map(({ email }) => email));
    const missing = members.filter(({ person }) => !known.has(person.email));
    if (missing.length === 0) return;
    const body = missing.map(({ person, role }) => ({ email: person.email, role }));
    await this.as(creator).POST(path, { params, body });
    for (const { person, role } of missing) {
      this.made.push(`${person.name} is ${role} of ${name}.`);
    }
  }

  /** All of it at once, and only where there is nothing: what people have changed stays. */
  private async makeContent(
    team: DemoTeam,
    { name, slug, creator, content }: DemoWorkspace,
  ): Promise<void> {
    const path = { team_slug: team.slug, workspace_slug: slug };
    const route = '/teams/{team_slug}/workspaces/{workspace_slug}/collections';
    const api = this.as(creator);
    const { data, response } = await api.raw.GET(route, { params: { path, query: { depth: 1 } } });
    if (data === undefined || data.length > 0) return;
    // The ETag names this empty tree: two demos at once fill it once.
    const etag = response.headers.get('etag')?.replaceAll('"', '') ?? '';
    await api.POST(`${route}/batch`, {
      params: { path, header: { 'Idempotency-Key': `demo-${etag}` } },
      body: { items: content },
    });
    this.made.push(`Wrote the content of ${name}.`);
  }
}

/** Runs `work`; false where somebody else was quicker, or it was done before. */
async function unlessThere(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}
