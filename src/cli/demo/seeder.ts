import {
  ConflictError,
  type CreateTeamRequest,
  type CreateWorkspaceRequest,
  type TeamRole,
  type TeamspacesClient,
  type WorkspaceRole,
} from 'teamspaces-client';
import { importFolder } from 'teamspaces-markdown';

/** The content of examples/demo/organisation.json. People are referred to by their names. */
export interface Organisation {
  people: Record<string, { sub: string; email: string }>;
  teams: DemoTeam[];
}

export interface DemoTeam extends CreateTeamRequest {
  /** Creates the team and sends its invites. */
  owner: string;
  members: Record<string, TeamRole>;
  /** Pending invites, by email. */
  invites: Record<string, TeamRole>;
  workspaces: DemoWorkspace[];
}

interface DemoWorkspace extends CreateWorkspaceRequest {
  /** The slug that the service derives from the name. */
  slug: string;
  /** Creates the workspace and its content, and is an editor. */
  creator: string;
  members: Record<string, WorkspaceRole>;
  /** A collection with two pages that the creator has deleted: it can be restored. */
  deleted?: string;
}

const TEAM = '/teams/{team_slug}';
const WORKSPACES = `${TEAM}/workspaces` as const;
const WORKSPACE = `${WORKSPACES}/{workspace_slug}` as const;

/** Creates the missing parts of the demo, each as the person whom it belongs to. */
export class Seeder {
  /**
   * @param folder has a folder for each team, with a folder of Markdown files for each workspace
   * @param as the client of a person, by name
   * @param report called with a sentence for each created part
   */
  constructor(
    private readonly people: Organisation['people'],
    private readonly folder: string,
    private readonly as: (person: string) => TeamspacesClient,
    private readonly report: (sentence: string) => void,
  ) {}

  /**
   * Creates the missing parts of a team. Existing parts are not changed, even if people have edited
   * them.
   * @throws Error if somebody else has the team, or TeamspacesError
   */
  async seed(team: DemoTeam): Promise<void> {
    await this.createTeam(team);
    await this.addMembers(team);
    for (const workspace of team.workspaces) {
      await this.createWorkspace(team.slug, workspace);
      await this.addWorkspaceMembers(team.slug, workspace);
      const { pages } = await importFolder(this.as(workspace.creator), {
        team: team.slug,
        workspace: workspace.slug,
        folder: `${this.folder}/${team.slug}/${workspace.slug}`,
      });
      if (pages === 0) continue;
      this.report(`Wrote the content of ${workspace.name}.`);
      if (workspace.deleted) await this.deleteCollection(team.slug, workspace, workspace.deleted);
    }
  }

  private async createTeam(team: DemoTeam): Promise<void> {
    const { owner, members, invites, workspaces, ...body } = team;
    const { name, slug } = body;
    const api = this.as(owner);
    if ((await api.GET('/teams')).some(({ meta }) => meta.slug === slug)) return;
    try {
      await api.POST('/teams', { body });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      throw new Error(`The team ${slug} belongs to somebody else: the demo cannot be created.`);
    }
    this.report(`Created the team ${name}.`);
  }

  private async addMembers({ name, slug, owner, members, invites }: DemoTeam): Promise<void> {
    const team = { params: { path: { team_slug: slug } } };
    const api = this.as(owner);
    const invite = (email: string, role: TeamRole) =>
      api.POST(`${TEAM}/invites`, { ...team, body: { invites: [{ email, role }] } });

    const { users } = await api.GET(`${TEAM}/members`, team);
    const known = new Set(users.map(({ email }) => email));
    for (const [person, role] of Object.entries(members)) {
      if (known.has(this.emailOf(person))) continue;
      const sent = await invite(this.emailOf(person), role);
      const path = { invite_id: sent.users[0]?._id ?? '' };
      await this.as(person).POST('/invites/{invite_id}/accept', { params: { path } });
      this.report(`${person} is in ${name}, as ${role}.`);
    }

    const sent = await api.GET(`${TEAM}/invites`, team);
    for (const { email, expires } of sent.users) {
      if (Date.parse(expires) > Date.now()) known.add(email);
    }
    for (const [email, role] of Object.entries(invites)) {
      if (known.has(email)) continue;
      await invite(email, role);
      this.report(`Invited ${email} to ${name}, as ${role}.`);
    }
  }

  private async createWorkspace(team: string, workspace: DemoWorkspace): Promise<void> {
    const { creator, slug, members, deleted, ...body } = workspace;
    const path = { team_slug: team };
    const api = this.as(creator);
    const visible = await api.GET(WORKSPACES, { params: { path } });
    if (visible.some(({ meta }) => meta.slug === slug)) return;
    const { meta } = await api.POST(WORKSPACES, { params: { path }, body });
    if (meta.slug !== slug) {
      await api.DELETE(WORKSPACE, { params: { path: { ...path, workspace_slug: meta.slug } } });
      throw new Error(
        `The workspace ${slug} of ${team} exists, but is hidden from ${creator}: add ${creator} to it, or delete it.`,
      );
    }
    this.report(`Made the ${body.visibility} workspace ${body.name}.`);
  }

  private async addWorkspaceMembers(team: string, workspace: DemoWorkspace): Promise<void> {
    const { name, slug, creator, members } = workspace;
    const params = { path: { team_slug: team, workspace_slug: slug } };
    const api = this.as(creator);
    const { users } = await api.GET(`${WORKSPACE}/members`, { params });
    for (const [person, role] of Object.entries(members)) {
      const email = this.emailOf(person);
      if (users.some((user) => user.email === email)) continue;
      await api.POST(`${WORKSPACE}/members`, { params, body: [{ email, role }] });
      this.report(`${person} is ${role} of ${name}.`);
    }
  }

  private async deleteCollection(
    team: string,
    { slug, creator, name: workspace }: DemoWorkspace,
    name: string,
  ): Promise<void> {
    const path = { team_slug: team, workspace_slug: slug };
    const api = this.as(creator);
    const pages = ['A folding bike', 'A bike for two'];
    const children = pages.map((page) => ({ name: page, object: 'item' as const }));
    const body = { items: [{ name, children }] };
    const [collection] = await api.POST(`${WORKSPACE}/collections/batch`, {
      params: { path },
      body,
    });
    const id = collection?.id ?? '';
    await api.DELETE(`${WORKSPACE}/collections/{id}`, { params: { path: { ...path, id } } });
    this.report(`Deleted ${name} from ${workspace}: it can be restored.`);
  }

  private readonly emailOf = (person: string): string => this.people[person]?.email ?? '';
}
