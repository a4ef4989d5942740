import { tokenOf } from '../support/app.js';
import { anItem, aWorkspace } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { scene } from '../support/scene.js';

const at = scene({ once: 'workspace' });

const find = (...args: string[]) =>
  runCommand(['find', '--team', at.team, '--url', at.url, ...args], {
    TEAMSPACES_TOKEN: tokenOf(at.ada.person),
  });

test('find shows what has the words in its title, in a team or in one workspace', async () => {
  const guides = await anItem(at.ada, at.query, { name: 'Guides' });
  const inner = await anItem(at.ada, at.query, { name: 'Inner', parent: guides.id });
  const { id } = await anItem(at.ada, at.query, { name: 'First day', parent: inner.id });
  const other = await aWorkspace(at.ada, at.team, { name: 'Other' });
  const last = await anItem(at.ada, other.query, { name: 'Last day of all' });
  const row = (...cells: string[]) => cells.join('  ').trimEnd();
  const place = at.workspace.slug.padEnd(9);
  expect(await find('day')).toEqual({
    status: 0,
    output: [
      row('id'.padEnd(36), 'title'.padEnd(15), 'workspace', 'path'),
      row(id, 'First day'.padEnd(15), place, 'Guides / Inner'),
      row(last.id, 'Last day of all', other.slug),
      '',
    ].join('\n'),
  });
  const only = await find('--workspace', at.workspace.slug, 'DAY first');
  expect(only.output.split('\n').slice(1)).toEqual([
    row(id, 'First day', place, 'Guides / Inner'),
    '',
  ]);
  const title = 'What to do on a day when nobody is in the office, and nobody answers';
  const long = await anItem(at.ada, at.query, { title });
  const below = await anItem(at.ada, at.query, { name: 'Off', parent: long.id });
  // A title longer than 60 characters moves the rest of its row alone.
  const { output } = await find('--workspace', at.workspace.slug, 'off');
  expect(output.split('\n').slice(1)).toEqual([
    row(below.id, 'Off'.padEnd(60), place, title),
    row(long.id, title, at.workspace.slug),
    '',
  ]);
  expect(await find('nothing')).toEqual({ status: 0, output: 'Nothing was found.\n' });
});
