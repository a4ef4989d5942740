import { type FoundCollection, secondsBehind, titleOf } from 'teamspaces-client';
import { counted, inColumns, type Line, print, printJson, type Row, warn } from './print.js';
import { connect, type Target } from './service.js';
import { snippetLines } from './snippet.js';

/** How many items a search finds at most. */
const LIMIT = 100;

/** Finds items by title, with `--in all` also pages by their text. The flag is `--json`. */
export async function runFind(target: Target): Promise<void> {
  const { team, workspace, argument, options } = target;
  const api = await connect(target);
  const place = workspace === '' ? api.team(team) : api.workspace(team, workspace);
  const found = await place.search(argument, {
    limit: LIMIT,
    ...(options.in === 'all' && { in: 'all' }),
  });
  if (target.flag) printJson(found);
  else print(...(found.length > 0 ? linesOf(found) : ['Nothing was found.']));
  const seconds = secondsBehind(found);
  if (seconds !== undefined) {
    const age = counted(seconds, 'second');
    warn(`The newest changes may be missing: the index is ${age} behind.`);
  }
}

/** A row for each item; the snippet of a page that was found by its text is below its row. */
function linesOf(found: readonly FoundCollection[]): Line[] {
  const [heading = '', ...rows] = inColumns(found.map(columnsOf));
  const below = found.map(({ snippet }) => (snippet ? snippetLines(snippet) : []));
  return [heading, ...rows.flatMap((row, index) => [row, ...(below[index] ?? [])])];
}

const columnsOf = ({ id, meta, workspaceMeta, ancestors }: FoundCollection): Row => ({
  ...{ id, title: meta.title, workspace: workspaceMeta.slug },
  path: ancestors.map(titleOf).join(' / '),
});
