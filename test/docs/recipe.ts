import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { ended } from '../support/command.js';
import { type Block, blocksOf } from './markdown.js';

/** The first line of a block: the file that it belongs to, and what in it. */
const PLACE = /^(?:\/\/|--) (\S+\.(?:ts|prisma|sql))(?:, in (\w+))?\n/;

/** The blocks of a page that change files. */
export const changesOf = (page: string): Block[] =>
  blocksOf(page).filter(
    ({ language, text }) =>
      language === 'ts' || (['diff', 'sql'].includes(language) && PLACE.test(text)),
  );

/** The lines of the commands of a page. */
export const commandsOf = (page: string): string[] =>
  blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'));

/** The files of these blocks, with the blocks in them. */
export function filesWith(blocks: readonly Block[]): Map<string, string> {
  const files = new Map<string, string>();
  const imports = new Map<string, Set<string>>();
  for (const block of blocks) {
    const { file: page, line, language, text } = block;
    const [first = '', file = '', name] = PLACE.exec(text) ?? [];
    if (file === '') throw new Error(`${page}:${line}: the block does not begin with its file`);
    const lines = text.slice(first.length).split('\n');
    if (language === 'sql') {
      files.set(file, `${lines.join('\n')}\n`);
      continue;
    }
    const before = files.get(file) ?? readFileSync(file, 'utf8');
    if (language === 'diff') {
      files.set(file, patched(before, lines, `${page}:${line}`));
      continue;
    }
    const isImport = (each: string) => each.startsWith('import ');
    const ofFile = imports.get(file) ?? new Set();
    imports.set(file, ofFile);
    for (const each of lines.filter(isImport)) ofFile.add(each);
    const own = lines.filter((each) => !isImport(each)).join('\n');
    const source = ts.createSourceFile(file, before, ts.ScriptTarget.Latest, true);
    const end = name === undefined ? before.length : endOf(source, name);
    files.set(file, `${before.slice(0, end)}${own}\n${before.slice(end)}`);
  }
  for (const [file, lines] of imports) {
    files.set(file, `${[...lines].join('\n')}\n${files.get(file)}`);
  }
  return files;
}

/** A file with the lines that begin with `+`, after those before them, which it has once. */
function patched(before: string, lines: string[], place: string): string {
  const known = lines.filter((line) => !line.startsWith('+'));
  const [context, changed] = [known, lines].map(
    (some) => `${some.map((line) => line.slice(1)).join('\n')}\n`,
  ) as [string, string];
  const parts = before.split(context);
  if (parts.length !== 2) throw new Error(`${place}: its context is not there once`);
  return parts.join(changed);
}

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

/** What was parsed, and the program that was compiled last: another one differs in a few files. */
const parsed = new Map<string, ts.SourceFile | undefined>();
let program: ts.Program | undefined;

/** What the compiler says of these files in place of those on disk. */
export function problemsIn(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile('tsconfig.check.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const host = ts.createCompilerHost(options);
  const sources = [...files.keys()].filter((file) => file.endsWith('.ts'));
  const texts = new Map(sources.map((file) => [resolve(file), files.get(file)]));
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => texts.get(resolve(file)) ?? readFile(file);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(resolve(file));
    if (text !== undefined) return ts.createSourceFile(file, text, rest[0], true);
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest));
    return parsed.get(file);
  };
  const compiled = ts.createProgram(sources, options, host, program);
  program = compiled;
  const diagnostics = sources.flatMap((file) => {
    const source =
      compiled.getSourceFile(join(process.cwd(), file)) ?? compiled.getSourceFile(file);
    return [
      ...compiled.getSyntacticDiagnostics(source),
      ...compiled.getSemanticDiagnostics(source),
    ];
  });
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const at = file?.text.slice(0, start).split('\n').length;
    return `${file?.fileName}:${at}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** Runs a command of a page in a copy of the project. @throws Error with what it has printed */
export async function run(command: string, folder: string): Promise<void> {
  const { status, output } = await outcomeOf(command, folder);
  if (status !== 0) throw new Error(`${command} ends with ${status}:\n${output}`);
}

/** What a command of a page ends with in a copy of the project. */
export function outcomeOf(command: string, folder: string): ReturnType<typeof ended> {
  const [, variables = '', rest = ''] = /^((?:\w+=\w+ )*)(.*)$/.exec(command) ?? [];
  const [program = '', ...args] = rest.split(' ');
  const set = Object.fromEntries(variables.split(' ').map((one) => one.split('=')));
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', CI: 'true', ...set };
  return ended(program, args, { cwd: folder, env });
}
