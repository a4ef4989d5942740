import { jest } from '@jest/globals';
import { startStillService, tokenOf } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { describeAlone } from '../support/inside.js';
import { someone } from '../support/members.js';
import { scene } from '../support/scene.js';
import { outside } from '../support/sources.js';

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

describe('--in all', () => {
  const ESC = '\u001b';
  const bold = (text: string) => `${ESC}[1m${text}${ESC}[22m`;
  /** A page with this text; its title is none of the words that the tests look for. */
  const page = (text: string) =>
    anItem(at.ada, at.query, { name: 'Notes', object: 'item', content: { text } });
  /** Runs the command with an output that takes no colours and has no width, unless `env` says so. */
  const findAll = (q: string, env: Record<string, string> = {}) =>
    runCommand(['find', '--team', at.team, '--url', at.url, '--in', 'all', q], {
      TEAMSPACES_TOKEN: tokenOf(at.ada.person),
      ...{ FORCE_COLOR: '0', COLUMNS: '', ...env },
    });
  /** The lines below the row of the only page. */
  const snippetOf = async (...given: Parameters<typeof findAll>) => {
    const { status, output } = await findAll(...given);
    expect(status).toBe(0);
    const [heading, row, ...lines] = output.split('\n');
    expect([heading, row]).toEqual([
      expect.stringMatching(/^id +title +workspace +path$/),
      expect.stringMatching(/^\S{36} {2}Notes +\S+$/),
    ]);
    expect(lines.pop()).toBe('');
    return lines;
  };

  test('shows below the row of a page where its text has the words', async () => {
    const { id } = await page('See the harbour, and ask the pilot first.');
    const titled = await anItem(at.ada, at.query, { name: 'Pilot', object: 'item' });
    const { slug } = at.workspace;
    expect((await findAll('pilot')).output.split('\n').slice(1)).toEqual([
      `${titled.id}  Pilot  ${slug}`,
      `${id}  Notes  ${slug}`,
      '    Notes See the harbour, and ask the **pilot** first.',
      '',
    ]);
    const byName = await find('pilot');
    expect(byName.output).not.toContain(id);
    expect(await find('--in', 'name', 'pilot')).toEqual(byName);
    expect((await find('--in', 'text', 'pilot')).status).toBe(2);
  });

  test('matches are bold in a terminal that takes colours', async () => {
    await page('A phrase has anchor chains, and chains alone.');
    expect(await snippetOf('"anchor chains"', { FORCE_COLOR: '1' })).toEqual([
      `    Notes A phrase has ${bold('anchor chains')}, and chains alone.`,
    ]);
    // Between two Arabic letters there is no escape sequence.
    await page('الرمل يدخل إلى السلسلة');
    expect(await snippetOf('السلسلة', { FORCE_COLOR: '1' })).toEqual([
      `    Notes الرمل يدخل إلى ${bold('السلسلة')}`,
    ]);
  });

  test('a snippet is as wide as the terminal, at spaces if there are any', async () => {
    await page('The lighthouse keeper counts the gulls of the island each morning.');
    const width = { COLUMNS: '34' };
    expect(await snippetOf('lighthouse', width)).toEqual([
      '    Notes The **lighthouse**',
      '    keeper counts the gulls of the',
      '    island each morning.',
    ]);
    expect(await snippetOf('"keeper counts"', { ...width, FORCE_COLOR: '1' })).toEqual([
      `    Notes The lighthouse ${bold('keeper')}`,
      `    ${bold('counts')} the gulls of the island`,
      '    each morning.',
    ]);
    // These signs are two columns wide.
    await page('保育園の送り迎えに使っています。屋根があれば完璧です。');
    expect(await snippetOf('屋根', { COLUMNS: '24' })).toEqual([
      '    Notes',
      '    保育園の送り迎えに使',
      '    っています。**屋根**',
      '    があれば完璧です。',
    ]);
    // A width that is hardly one is 20 columns of text.
    expect(await snippetOf('屋根', { COLUMNS: '3' })).toEqual(
      await snippetOf('屋根', { COLUMNS: '24' }),
    );
  });

  test('the text of others neither commands the terminal nor turns its direction', async () => {
    await page(`The${ESC}[31m red\u202e buoy\u0007\u009b2J\u2066 is\r here.`);
    for (const FORCE_COLOR of ['0', '1']) {
      const [line = '', ...others] = await snippetOf('buoy', { FORCE_COLOR });
      expect(others).toEqual([]);
      const plain = line.replace(bold('buoy'), '**buoy**');
      expect(plain).toMatch(/\*\*buoy\*\*/);
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  test('--json prints the records as they are', async () => {
    const { id } = await page('A bollard stands at the quay.');
    const place = ['--team', at.team, '--workspace', at.workspace.slug];
    const found = await find(...place, '--in', 'all', '--json', 'bollard');
    expect(JSON.parse(found.output)).toMatchObject([
      {
        id,
        snippet: [
          { text: 'Notes A ', match: false },
          { text: 'bollard', match: true },
          { text: ' stands at the quay.', match: false },
        ],
      },
    ]);
  });
});

describeAlone('a service that does not search in all pages', () => {
  /** What the command prints, and its notes, at a service of its own with 60 pages. */
  async function findThere(env: Record<string, string>) {
    const service = await startStillService(env);
    try {
      const ada = await someone(service);
      const team = await aTeam(ada);
      const { query } = await aWorkspace(ada, team);
      const content = { text: 'Ask the pilot.' };
      const items = Array.from({ length: 60 }, (_, n) => ({
        name: `${n}`,
        object: 'item',
        content,
      }));
      await ok(ada.post(`/collections/batch${query}`, { items }));
      const notes: unknown[] = [];
      const spy = jest.spyOn(outside.console, 'error').mockImplementation((note) => {
        notes.push(note);
      });
      const argv = ['find', '--team', team, '--url', service.url, '--in', 'all', 'pilot'];
      const ended = await runCommand(argv, { TEAMSPACES_TOKEN: tokenOf(ada.person) });
      spy.mockRestore();
      return { ...ended, notes };
    } finally {
      await service.stop();
    }
  }

  test('a note says that the newest changes may be missing', async () => {
    const { status, output, notes } = await findThere({});
    expect([status, output.split('\n').length]).toEqual([0, 1 + 50 * 2 + 1]);
    expect(notes).toEqual([
      expect.stringMatching(
        /^The newest changes may be missing: the index is [\d,]+ seconds? behind\.$/,
      ),
    ]);
  });

  test('one that does not search in pages says so', async () => {
    expect(await findThere({ SEARCH_CONTENT: 'off' })).toEqual({
      status: 1,
      output: 'this service does not search in pages: leave out in, or set it to name\n',
      notes: [],
    });
  });
});
