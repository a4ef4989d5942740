import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A message that the source can give: its text, `…` for what is filled in, and where it stands. */
export interface Template {
  text: string;
  at: string;
}

/** What makes an error of a message, and which of its arguments the message is. */
type Makers = Map<string, number>;

const GAP = '\u2026';

/**
 * Messages that test/contract does not cause: test/operate/faults covers a database that does not respond for nine seconds,
 * test/api/collections/lists unread lists, test/invariants/noisy-neighbours changes
 * that wait for those of their own caller, test/invariants/noisy-neighbours-bodies and test/rules/bodies-in-receipt
 * bodies that are sent slowly, test/api/mcp/endpoint what only /mcp refuses.
 */
export const ELSEWHERE = [
  'the response took longer than … seconds: try again',
  'too many of your changes are waiting, and this one was not made: send fewer at once, and try again in 1 second',
  'too many responses of more than 8 MiB are being sent: read those that are in progress to their end, then try again',
  'your request bodies that are being received exceed 16 MiB: send fewer at once',
  'the request bodies that are being received exceed 96 MiB: try again in 1 second',
  'the body stood still for a second while others needed its room: send it again',
  'the body arrived too slowly: it must arrive with at least 16 KiB a second',
  'too many large reads are in progress: try again in a second, with fewer at a time',
  'a value in the body must be at most 1 MiB of JSON',
  'web pages of other origins may not call this: CORS_ORIGINS names those that may',
];

/** Where errors for callers are made. */
const SOURCES = ['src', 'packages/json-text/src'];

/**
 * Every message of a DomainError, and every rule for a field, read from the source: what is given to
 * a constructor of errors, directly or through functions, constants, tables and conditions.
 * @returns `unknown`: places whose message could not be found out
 */
export function messageTemplates(): { templates: Template[]; unknown: string[] } {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/^(generated|development|openapi)\//.test(file))
      .map((file) => {
        const path = `${folder}/${file}`;
        return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
      }),
  );
  const reader = new Reader(files);
  return reader.read();
}

class Reader {
  private readonly makers: Makers = new Map([
    ['DomainError', 1],
    ['JsonError', 1],
  ]);
  private readonly constants = new Map<string, ts.Expression>();
  private readonly found = new Map<string, Template>();
  private readonly unknown = new Set<string>();

  constructor(private readonly files: readonly ts.SourceFile[]) {
    this.each((node) => {
      if (!ts.isVariableDeclaration(node) || !node.initializer) return;
      if (ts.isIdentifier(node.name)) this.constants.set(node.name.text, node.initializer);
    });
  }

  read() {
    // Until no function turns out to hand a message on.
    for (let known = 0; known < this.makers.size; ) {
      known = this.makers.size;
      this.each((node) => this.visit(node));
    }
    this.each((node) => this.visitRule(node));
    return { templates: [...this.found.values()], unknown: [...this.unknown] };
  }

  private each(visit: (node: ts.Node) => void): void {
    const walk = (node: ts.Node): void => {
      visit(node);
      ts.forEachChild(node, walk);
    };
    for (const file of this.files) walk(file);
  }

  private visit(node: ts.Node): void {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
    const { expression } = node;
    const name =
      expression.kind === ts.SyntaxKind.SuperKeyword
        ? heritage(node)
        : ts.isIdentifier(expression)
          ? expression.text
          : '';
    const argument = node.arguments?.[this.makers.get(name) ?? -1];
    if (argument) this.keep(node, this.textsOf(argument));
  }

  /** Rules say what is wrong in words that begin so; the field's name is put before them. */
  private visitRule(node: ts.Node): void {
    const { fileName } = node.getSourceFile();
    if (
      !/^(src\/(http|rate-limit|validation)|packages\/json-text\/src)\//.test(fileName) ||
      !isText(node)
    )
      return;
    if (
      !ts.isExpression(node) ||
      !/^(?!the ).*\b(must|is required|is not a|is in the)\b/.test(node.getText())
    )
      return;
    if (isInError(node)) return;
    // Of the options of a decorator, only this one is for callers.
    if (ts.isPropertyAssignment(node.parent) && node.parent.name.getText() !== 'message') return;
    this.keep(node, this.textsOf(node));
  }

  private keep(node: ts.Node, texts: string[]): void {
    for (const text of texts) {
      if (!/\p{L}{2}/u.test(text)) continue;
      this.found.set(text, { text, at: placeOf(node) });
    }
  }

  /** What an expression may come to; a gap where nobody knows. */
  private textsOf(node: ts.Expression, depth = 0): string[] {
    if (depth > 8) return [GAP];
    const again = (inner: ts.Expression) => this.textsOf(inner, depth + 1);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isNumericLiteral(node)) return [];
    if (ts.isTemplateExpression(node)) {
      return node.templateSpans.reduce(
        (texts, { expression, literal }) =>
          texts.flatMap((text) =>
            this.fill(expression, again).map((fill) => text + fill + literal.text),
          ),
        [node.head.text],
      );
    }
    if (ts.isConditionalExpression(node))
      return [...again(node.whenTrue), ...again(node.whenFalse)];
    if (ts.isBinaryExpression(node)) return [...again(node.left), ...again(node.right)];
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
      return again(node.expression);
    if (ts.isObjectLiteralExpression(node))
      return node.properties.flatMap((one) =>
        ts.isPropertyAssignment(one) ? again(one.initializer) : [],
      );
    if (ts.isElementAccessExpression(node)) return again(node.expression);
    if (ts.isPropertyAccessExpression(node))
      return this.handOver(node, parameterProperty(this.files, node.name.text));
    if (ts.isIdentifier(node) && node.text !== 'undefined') {
      const parameter = parameterOf(node);
      if (parameter) return this.handOver(node, parameter);
      const constant = this.constants.get(node.text);
      if (constant) return again(constant);
    }
    if (ts.isIdentifier(node)) return [];
    this.unknown.add(`${placeOf(node)}: ${node.getText()}`);
    return [];
  }

  /** What may stand in a template: the alternatives, where they are known. */
  private fill(node: ts.Expression, again: (node: ts.Expression) => string[]): string[] {
    const isChoice = ts.isConditionalExpression(node) || ts.isBinaryExpression(node);
    const texts = isChoice ? again(node) : [];
    return texts.length > 0 ? texts.map((text) => text.replaceAll(/^$/g, '')) : [GAP];
  }

  /** Whoever has this parameter makes errors of what it is given. */
  private handOver(node: ts.Node, found: { name: string; index: number } | null): string[] {
    if (found) this.makers.set(found.name, found.index);
    else this.unknown.add(`${placeOf(node)}: ${node.getText()}`);
    return [];
  }
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

const placeOf = (node: ts.Node): string => {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

/** Inside `new Error(…)`, which is for us and not for callers, or inside a larger text. */
function isInError(node: ts.Node): boolean {
  for (let up = node.parent; up; up = up.parent) {
    if (ts.isTemplateExpression(up)) return true;
    if (ts.isNewExpression(up)) return up.expression.getText() === 'Error';
  }
  return false;
}

/** The class that `super(…)` stands for. */
function heritage(node: ts.Node): string {
  for (let up = node.parent; up; up = up.parent) {
    if (ts.isClassDeclaration(up))
      return up.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '';
  }
  return '';
}

/** The function, or the class, of which this is a parameter. */
function parameterOf(node: ts.Identifier): { name: string; index: number } | null {
  for (let up = node.parent; up; up = up.parent) {
    if (!ts.isFunctionLike(up)) continue;
    const index = up.parameters.findIndex(({ name }) => name.getText() === node.text);
    if (index === -1) continue;
    const named = ts.isConstructorDeclaration(up) || ts.isArrowFunction(up) ? up.parent : up;
    const { name } = named as ts.NamedDeclaration;
    return name ? { name: name.getText(), index } : null;
  }
  return null;
}

/** The class whose constructor declares this property. */
function parameterProperty(files: readonly ts.SourceFile[], name: string) {
  for (const file of files) {
    for (const statement of file.statements) {
      if (!ts.isClassDeclaration(statement) || !statement.name) continue;
      const made = statement.members.find(ts.isConstructorDeclaration);
      const index = made?.parameters.findIndex((one) => one.name.getText() === name) ?? -1;
      if (index !== -1 && made?.parameters[index]?.modifiers)
        return { name: statement.name.text, index };
    }
  }
  return null;
}
