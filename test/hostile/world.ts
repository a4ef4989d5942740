import { type Caller, type Person, somebody, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';

/** What there is to attack; the values stand in for `{{name}}`. */
export type World = Record<string, string>;

/** A team with a workspace, a collection and a page in it, of which Ada is the owner. */
async function aWorld(ada: Caller, person: Person): Promise<World> {
  const team = await aTeam(ada);
  const { slug: workspace, query } = await aWorkspace(ada, team);
  const { _id: teamId, inviteCode } = await ok<{ _id: string; inviteCode: string }>(
    ada.get(`/teams/${team}`),
  );
  const collection = await anItem(ada, query, { name: 'Guides' });
  const page = await anItem(ada, query, { object: 'item', parent: collection.id, content: {} });
  const { _id: user } = await ok<{ _id: string }>(ada.get('/me'));
  return {
    team,
    workspace,
    teamId,
    collection: collection.id,
    page: page.id,
    user,
    email: person.email,
    code: inviteCode,
    // As path parameters call them.
    team_slug: team,
    workspace_slug: workspace,
    id: page.id,
    slug: page.meta.slug,
  };
}

/** A caller with data of their own, created again after somebody has changed it. */
export class Attacker {
  private readonly person = somebody('Mallory');
  readonly caller: Caller;
  private world: Promise<World> | null = null;

  constructor(service: TestService) {
    this.caller = service.as(this.person);
  }

  current(): Promise<World> {
    this.world ??= aWorld(this.caller, this.person);
    return this.world;
  }

  /** What there was may be gone or renamed. */
  forget(): void {
    this.world = null;
  }

  get identity(): Person {
    return this.person;
  }
}

/** Puts what the world has in the place of its names. */
export const fill = (text: string, world: World): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => world[name] ?? whole);
