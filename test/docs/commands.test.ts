import { readFileSync, writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { type Block, blocksOf, pages } from './markdown.js';
import { Responses } from './responses.js';
import { Terminal } from './terminal.js';

// Building and starting take seconds, and much longer on a machine that has other things to do.
jest.setTimeout(300_000);

const SHELL = 'sh';
const NOT_RUN = /^not run here: (.+)$/;
const STAYS = /^stays in the background until: (.+)$/;

const blocks = pages().flatMap(blocksOf);
const commands = blocks.filter(({ language }) => language === SHELL);
const nameOf = ({ file, line, text }: Block): string => `${file}:${line} ${text.split('\n')[0]}`;

let terminal: Terminal | undefined;
const responses = new Responses();
beforeAll(async () => {
  terminal = await Terminal.open();
}, 300_000);
afterAll(() => terminal?.close(), 60_000);

describe('the commands of the pages', () => {
  const those = commands.filter(({ comment }) => !NOT_RUN.test(comment));
  test.each(those.map((block) => [nameOf(block), block] as const))('%s', async (_, block) => {
    const { text, comment, response } = block;
    if (!terminal) throw new Error('there is no terminal');
    const until = STAYS.exec(comment)?.[1];
    const { out, err, failed } = until
      ? await terminal.start(text, until)
      : await terminal.run(block.file, text);
    const said = `${out}\n${err}`;
    if (failed) throw new Error(`it failed:\n${said}`);
    if (response === null) return expect(said).not.toMatch(/"error":|^Usage: /m);
    const { shown, printed } = responses.compare(response.text, out);
    expect(printed).toEqual(shown);
  });
});

test('the commands that are not run are known, with the reason', () => {
  const lines = commands.flatMap(({ file, text, comment }) => {
    const [, reason] = NOT_RUN.exec(comment) ?? [];
    return reason ? [`${file}: ${text.split('\n')[0]}\n    ${reason}`] : [];
  });
  const list = 'test/docs/not-run.txt';
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(list, `${lines.join('\n')}\n`);
  expect(lines).toEqual(
    readFileSync(list, 'utf8')
      .trimEnd()
      .split(/\n(?! )/),
  );
});

test('every block says what it is, and JSON is JSON', () => {
  const known = [
    'sh',
    'json',
    'ts',
    'js',
    'python',
    'yaml',
    'sql',
    'ini',
    'nginx',
    'promql',
    'diff',
    '',
  ];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(nameOf)).toEqual([]);
  const plain = blocks.filter(({ language }) => language === '');
  expect(plain.filter(({ text }) => /^(\$ )?(npm|npx|curl|node) /m.test(text)).map(nameOf)).toEqual(
    [],
  );
  for (const { language, text } of blocks) if (language === 'json') JSON.parse(text);
});
