import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { ended } from '../support/command.js';
import { freshClone } from './clone.js';
import { blocksOf } from './markdown.js';

const PAGE = 'docs/adding-an-endpoint.md';

/** The first line of a block of TypeScript: the file that it belongs to, and what in it. */
const PLACE = /^\/\/ (\S+\.ts)(?:, in (\w+))?\n/;

/** Where the members of a class, an object or a list, or the statements of a function, end. */
function endOf(source: ts.SourceFile, name: string): number {
  let end = -1;
  const visit = (node: ts.Node): void => {
    const isNamed =
      (ts.isClassDeclaration(node) ||
        ts.isVariableDeclaration(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isPropertyAssignment(node)) &&
      node.name?.getText(source) === name;
    // The first of that name: its last character is the bracket that closes it.
    if (isNamed && end === -1) end = bodyOf(node).getEnd() - 1;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  if (end === -1) throw new Error(`${source.fileName} has no ${name}`);
  return end;
}

/** What a declaration ends with: its value, without `as` and `satisfies`. */
function bodyOf(node: ts.Node): ts.Node {
  if (ts.isVariableDeclaration(node) && node.initializer) return bodyOf(node.initializer);
  const isTyped = ts.isSatisfiesExpression(node) || ts.isAsExpression(node);
  return isTyped ? bodyOf(node.expression) : node;
}

/** The files of the page's blocks, with the blocks in them. */
function filesWithBlocks(): Map<string, string> {
  const files = new Map<string, string>();
  for (const { text, line } of blocksOf(PAGE).filter(({ language }) => language === 'ts')) {
    const [first = '', file = '', name] = PLACE.exec(text) ?? [];
    if (file === '') throw new Error(`${PAGE}:${line}: the block does not begin with its file`);
    const before = files.get(file) ?? readFileSync(file, 'utf8');
    const lines = text.slice(first.length).split('\n');
    const imports = lines.filter((each) => each.startsWith('import ')).join('\n');
    const block = lines.filter((each) => !each.startsWith('import ')).join('\n');
    const source = ts.createSourceFile(file, before, ts.ScriptTarget.Latest, true);
    const end = name === undefined ? before.length : endOf(source, name);
    files.set(file, `${imports}\n${before.slice(0, end)}${block}\n${before.slice(end)}`);
  }
  return files;
}

/** What the compiler says of these files in place of those on disk. */
function problemsIn(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile('tsconfig.check.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const host = ts.createCompilerHost(options);
  const texts = new Map([...files].map(([file, text]) => [resolve(file), text]));
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => texts.get(resolve(file)) ?? readFile(file);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(resolve(file));
    return text === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, text, rest[0], true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const diagnostics = [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(join(process.cwd(), file)) ?? program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const at = file?.text.slice(0, start).split('\n').length;
    return `${file?.fileName}:${at}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** Runs a command of the page in a copy of the project. @throws Error with what it has printed */
async function run(command: string, folder: string): Promise<void> {
  const [, variables = '', rest = ''] = /^((?:\w+=\w+ )*)(.*)$/.exec(command) ?? [];
  const [program = '', ...args] = rest.split(' ');
  const set = Object.fromEntries(variables.split(' ').map((one) => one.split('=')));
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', CI: 'true', ...set };
  const { status, output } = await ended(program, args, { cwd: folder, env });
  if (status !== 0) throw new Error(`${command} ends with ${status}:\n${output}`);
}

/** What the last command of the page runs; by day, of the tests those that hold every endpoint. */
const CHECKS = [
  'npm run check:types',
  'npm run check:lint',
  'npm run check:boundaries',
  process.env.NIGHTLY === '1' ? 'npm test' : 'npm test -- test/contract test/client test/api/teams',
];

test('the TypeScript of the page compiles in the files that it names', () => {
  const files = filesWithBlocks();
  expect(files.size).toBeGreaterThan(12);
  // The types of the client are generated in the last step.
  const ofService = [...files].filter(([file]) => !file.startsWith('clients/'));
  expect(problemsIn(new Map(ofService))).toEqual([]);
}, 120_000);

test('who follows the page ends with tests that pass', async () => {
  const folder = freshClone();
  try {
    for (const [file, text] of filesWithBlocks()) writeFileSync(join(folder, file), text);
    const commands = blocksOf(PAGE).filter(({ language }) => language === 'sh');
    const lines = commands.flatMap(({ text }) => text.split('\n'));
    expect(lines.at(-1)).toBe('npm run check');
    for (const line of [...lines.slice(0, -1), ...CHECKS]) await run(line, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}, 1_800_000);
