import { type FoundCollection, type TeamspacesClient, titleOf } from 'teamspaces-client';
import { CallError, isTooLarge } from './errors.js';

/** The form of the ids of the service. */
const ID_FORM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Teams of a caller that are searched if no team is named: each costs a request. */
const MAX_TEAMS = 10;
/** Titles that a search compares, and candidates that an error names. */
const MAX_COMPARED = 20;
const MAX_NAMED = 5;
/** UTF-16 code units of a title: it has 255 characters at most, of two units at most. */
const MAX_TITLE = 510;
/** Characters of a question to the service. */
const MAX_QUESTION = 100;

/** Where to look for a title. */
export interface SearchPlace {
  team?: string | undefined;
  workspace?: string | undefined;
}

/**
 * The id of the item that a model means: an id, or the title, name or slug of one item.
 * @param place where to look; all teams of the caller if it names none
 * @throws CallError no item is called that, several are, or there are too many teams to look
 */
export async function idOf(
  client: TeamspacesClient,
  given: string,
  place: SearchPlace,
): Promise<string> {
  if (ID_FORM.test(given)) return given;
  if (given.length > MAX_TITLE) {
    throw new CallError('not_found: an id, or a title, has at most 255 characters.');
  }
  const found = await search(client, given, place).catch((error) => {
    throw isTooLarge(error) ? new CallError(`${JSON.stringify(given)} ${TOO_MANY}`) : error;
  });
  const [item, ...others] = found.filter((item) => isCalled(item, given));
  if (item === undefined) {
    throw new CallError(
      `not_found: ${JSON.stringify(given)} is neither an id nor the title of an item that you can read${candidates('. Similar titles', found)}.`,
    );
  }
  if (others.length > 0) {
    throw new CallError(
      `${JSON.stringify(given)} is the title of several items: call again with the id of one${candidates('', [item, ...others])}.`,
    );
  }
  return item.id;
}

const TOO_MANY = 'cannot be looked up as a title: call search, and pass the id of the item.';

async function search(
  client: TeamspacesClient,
  title: string,
  { team, workspace }: SearchPlace,
): Promise<Candidate[]> {
  // Slugs are made of titles: their words find the item, too.
  const isSlug = !/\s/.test(title);
  const words = [...(isSlug ? title.replaceAll('-', ' ') : title)].slice(0, MAX_QUESTION).join('');
  if (words.trim() === '') throw new CallError('an id or a title must not be blank');
  const options = { limit: MAX_COMPARED };
  if (team !== undefined) {
    const where = workspace === undefined ? client.team(team) : client.workspace(team, workspace);
    return inTeam(team, await where.search(words, options));
  }
  const teams: string[] = [];
  for await (const { meta } of client.teams.list({ limit: MAX_TEAMS + 1 })) {
    if (teams.push(meta.slug) > MAX_TEAMS) {
      throw new CallError(
        `${JSON.stringify(title)} is not an id: to find it by its title, name the team as well.`,
      );
    }
  }
  const found = teams.map(async (slug) =>
    inTeam(slug, await client.team(slug).search(words, options)),
  );
  return (await Promise.all(found)).flat();
}

/** An item, and the slug of its team. */
type Candidate = FoundCollection & { team: string };

const inTeam = (team: string, found: readonly FoundCollection[]): Candidate[] =>
  found.map((item) => ({ ...item, team }));

const isCalled = (item: FoundCollection, text: string): boolean =>
  item.meta.slug === text ||
  [item.meta.title, item.name].some((title) => folded(title) === folded(text));

const folded = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** Names a few items, so that the model can choose one. */
function candidates(intro: string, items: readonly Candidate[]): string {
  if (items.length === 0) return '';
  const named = items.slice(0, MAX_NAMED).map((item) => {
    const path = [...item.ancestors.map(titleOf), item.meta.title].join(' / ');
    return `${item.id} (${path}, in ${item.team}/${item.workspaceMeta.slug})`;
  });
  const more = items.length > MAX_NAMED ? '; and others' : '';
  return `${intro}: ${named.join('; ')}${more}`;
}
