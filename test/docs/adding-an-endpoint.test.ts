import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { blocksOf } from './markdown.js';

const PAGE = 'docs/adding-an-endpoint.md';

/** The first line of a block of TypeScript: the file that it belongs to, and the class or object in it. */
const PLACE = /^\/\/ (src\/\S+\.ts)(?:, in (\w+))?\n/;

/** Where the members of a class, or of a constant object, end. */
function endOf(source: ts.SourceFile, name: string): number {
  let end = -1;
  const visit = (node: ts.Node): void => {
    const isNamed =
      (ts.isClassDeclaration(node) || ts.isVariableDeclaration(node)) &&
      node.name?.getText(source) === name;
    if (isNamed) end = source.text.lastIndexOf('}', node.getEnd() - 1);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  if (end === -1) throw new Error(`${source.fileName} has no ${name}`);
  return end;
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
    files.set(file, `${before.slice(0, end)}${block}\n${before.slice(end)}\n${imports}\n`);
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

test('the TypeScript of the page compiles in the files that it names', () => {
  const files = filesWithBlocks();
  expect([...files.keys()]).toHaveLength(6);
  expect(problemsIn(files)).toEqual([]);
}, 120_000);
