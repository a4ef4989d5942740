import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { interruption, print } from 'teamspaces';
import {
  ConflictError,
  type CreateTeamRequest,
  type CreateWorkspaceRequest,
  createClient,
  type TeamRole,
  type TeamspacesClient,
  TeamspacesError,
  UnauthorizedError,
  type WorkspaceRole,
} from 'teamspaces-client';
import { importFolder } from 'teamspaces-markdown';
import { signingOf } from '../token/token.command.js';

const FOLDER = fileURLToPath(new URL('../../../examples/demo', import.meta.url));
/** The address in what-to-try.sh. */
const EXAMPLE_URL = 'http://localhost:3000';
/** How long the tokens are valid. */
const DAYS = 30;

/**
 * Fills the service at `url` with the organisation in examples/demo, and prints what to try.
 * @throws Error with a sentence: in production, or if the service is not there or refuses the tokens
 */
export async function runDemo(url: string): Promise<void> {
  const interrupted = interruption();
  const { people, teams } = JSON.parse(
    await readFile(`${FOLDER}/organisation.json`, 'utf8'),
  ) as Organisation;
  const tokens = await signTokens(people);
  await assertAccepted(url, tokens.get('Ada') ?? '');

  let created = 0;
  const clientOf = (person: string) =>
    createClient({ baseUrl: url, token: tokens.get(person) ?? '' });
  const seeder = new Seeder(people, clientOf, (sentence) => {
    created++;
    print(sentence);
  });
  for (const team of teams) await Promise.race([seeder.seed(team), interrupted]);
  if (created === 0) print('The demo already exists: nothing was changed.');

  const requests = await readFile(`${FOLDER}/what-to-try.sh`, 'utf8');
  const text = `
The people:

${Object.keys(people)
  .map((person) => `  ${person.padEnd(6)} ${rolesOf(person, { people, teams })}`)
  .join('\n')}

Their tokens, for ${DAYS} days. Paste these lines into a terminal:

${[...tokens].map(([person, token]) => `${person.toUpperCase()}=${token}`).join('\n')}

Then try, in the same terminal:

${requests.replaceAll(EXAMPLE_URL, url)}
Or open ${url}/docs: Ada's token is filled in there, if the service made its own secret.`;
  print(...text.split('\n'));
}

/** A token for each person, signed as the service expects it. */
async function signTokens(people: Organisation['people']): Promise<Map<string, string>> {
  if (process.env.NODE_ENV?.trim() === 'production') {
    throw new Error(
      'The demo is for development, and NODE_ENV is production: its tokens would let anyone impersonate everyone.',
    );
  }
  const { secret, issuer, audience } = await signingOf(
    'The demo signs tokens with the secret of the service; with AUTH_JWKS_URL only your identity provider issues tokens.',
  );
  const { signToken } = await import('teamspaces/token');
  return new Map(
    Object.entries(people).map(([name, person]) => [
      name,
      signToken(secret, { ...person, name }, { days: DAYS, issuer, audience }),
    ]),
  );
}

/** @throws Error that says what to do if the service does not respond or refuses the token */
async function assertAccepted(url: string, token: string): Promise<void> {
  try {
    await createClient({ baseUrl: url, token, retry: { attempts: 1 } }).me();
  } catch (error) {
    if (error instanceof UnauthorizedError) {
      throw new Error(
        `The service at ${url} refuses the tokens (${error.message}): give the demo the DATA_DIR, ` +
          'AUTH_JWT_SECRET, AUTH_ISSUER and AUTH_AUDIENCE of the service.',
      );
    }
    if (error instanceof TeamspacesError) throw error;
    throw new Error(
      `There is no service at ${url}: start it with npm start, or set TEAMSPACES_URL.`,
    );
  }
}

/** `owner of Lumen Bikes; guest in Lumen Foundation` */
function rolesOf(person: string, { people, teams }: Organisation): string {
  return teams
    .flatMap(({ name, owner, members, invites }) => {
      const invited = invites[people[person]?.email ?? ''];
      if (owner === person) return [`owner of ${name}`];
      if (members[person]) return [`${members[person]} in ${name}`];
      return invited ? [`invited to ${name} as ${invited}`] : [];
    })
    .join('; ');
}

/** The content of examples/demo/organisation.json. People are referred to by their names. */
interface Organisation {
  people: Record<string, { sub: string; email: string }>;
  teams: DemoTeam[];
}

interface DemoTeam extends CreateTeamRequest {
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

/** Creates the missing parts of the demo, each as the person whom it belongs to. */
class Seeder {
  /**
   * @param as the client of a person, by name
   * @param report called with a sentence for each created part
   */
  constructor(
    private readonly people: Organisation['people'],
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
        folder: `${FOLDER}/${team.slug}/${workspace.slug}`,
      });
      if (pages === 0) continue;
      this.report(`Wrote the content of ${workspace.name}.`);
      if (workspace.deleted) await this.deleteCollection(team.slug, workspace, workspace.deleted);
    }
  }

  private async createTeam(team: DemoTeam): Promise<void> {
    const { owner, members, invites, workspaces, ...body } = team;
    const { name, slug } = body;
    const { teams } = this.as(owner);
    if ((await teams.list()).some(({ meta }) => meta.slug === slug)) return;
    try {
      await teams.create(body);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      throw new Error(`The team ${slug} belongs to somebody else: the demo cannot be created.`);
    }
    this.report(`Created the team ${name}.`);
  }

  private async addMembers({ name, slug, owner, members, invites }: DemoTeam): Promise<void> {
    const team = this.as(owner).team(slug);
    const known = new Set((await team.members.list()).map(({ email }) => email));
    for (const [person, role] of Object.entries(members)) {
      const email = this.emailOf(person);
      if (known.has(email)) continue;
      const sent = await team.invites.send({ invites: [{ email, role }] });
      await this.as(person).invites.accept(sent.users[0]?._id ?? '');
      this.report(`${person} is in ${name}, as ${role}.`);
    }
    for (const { email, expires } of await team.invites.list()) {
      if (Date.parse(expires) > Date.now()) known.add(email);
    }
    for (const [email, role] of Object.entries(invites)) {
      if (known.has(email)) continue;
      await team.invites.send({ invites: [{ email, role }] });
      this.report(`Invited ${email} to ${name}, as ${role}.`);
    }
  }

  private async createWorkspace(team: string, workspace: DemoWorkspace): Promise<void> {
    const { creator, slug, members, deleted, ...body } = workspace;
    const { workspaces } = this.as(creator).team(team);
    if ((await workspaces.list()).some(({ meta }) => meta.slug === slug)) return;
    const { meta } = await workspaces.create(body);
    if (meta.slug !== slug) {
      await workspaces.delete(meta.slug);
      throw new Error(
        `The workspace ${slug} of ${team} exists, but is hidden from ${creator}: add ${creator} to it, or delete it.`,
      );
    }
    this.report(`Made the ${body.visibility} workspace ${body.name}.`);
  }

  private async addWorkspaceMembers(team: string, workspace: DemoWorkspace): Promise<void> {
    const { name, slug, creator, members } = workspace;
    const known = this.as(creator).workspace(team, slug).members;
    const emails = (await known.list()).map(({ email }) => email);
    for (const [person, role] of Object.entries(members)) {
      const email = this.emailOf(person);
      if (emails.includes(email)) continue;
      await known.add([{ email, role }]);
      this.report(`${person} is ${role} of ${name}.`);
    }
  }

  private async deleteCollection(
    team: string,
    { slug, creator, name: workspace }: DemoWorkspace,
    name: string,
  ): Promise<void> {
    const { tree, collections } = this.as(creator).workspace(team, slug);
    const pages = ['A folding bike', 'A bike for two'];
    const children = pages.map((page) => ({ name: page, object: 'item' as const }));
    const [created] = await tree.createMany({ items: [{ name, children }] });
    await collections.delete(created?.id ?? '');
    this.report(`Deleted ${name} from ${workspace}: it can be restored.`);
  }

  private readonly emailOf = (person: string): string => this.people[person]?.email ?? '';
}
