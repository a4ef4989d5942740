import fc from 'fast-check';
import { type OpenApi, resolve, type Schema } from './document.js';

/** Text that storage, parsers and terminals have stumbled over. */
const NASTY = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '\u202e',
  '%00',
  '%',
  '..',
  '../../etc/passwd',
  "'; DROP TABLE teams; --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e400',
  '9'.repeat(400),
  'x'.repeat(10_000),
  '😀'.repeat(33),
];

/** What the world has, by name; `{{name}}` is replaced when the request is sent. */
const KNOWN = ['team', 'workspace', 'teamId', 'collection', 'page', 'user', 'email', 'code'];
const known = fc.constantFrom(...KNOWN.map((name) => `{{${name}}}`));

export const nastyText = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uuid({ version: 7 }),
  known,
);

/** JSON of any shape, with keys that mean something to JavaScript. */
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    nastyText,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, false, -0, 1.5, 2 ** 53, 1e300),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(nastyText, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

const types = (schema: Schema): string[] => [schema.type ?? 'object'].flat();

/** Lists in lists, where a schema holds itself. */
const LEVELS = 3;

/** What the schema allows, more or less: rules that it cannot say may refuse it. */
export function fitting(given: Schema, document: OpenApi, levels = LEVELS): fc.Arbitrary<unknown> {
  const schema = resolve(given, document);
  const { minLength = 0, maxLength = 60, minimum = 0, maximum = 1e6 } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = types(schema);
  if (type.includes('array')) {
    if (levels === 0) return fc.constant([]);
    const item = fitting(schema.items ?? {}, document, levels - 1);
    return fc.array(item, { minLength: schema.minItems ?? 0, maxLength: 3 });
  }
  if (type.includes('integer') || type.includes('number')) {
    return fc.integer({ min: minimum, max: Math.min(maximum, 1e9) });
  }
  if (type.includes('string')) return fittingText({ ...schema, minLength, maxLength });
  if (!schema.properties) return fc.dictionary(nastyText, anyJson, { maxKeys: 5 });
  const fields = Object.entries(schema.properties).map(([name, field]) => [
    name,
    fitting(field, document, levels),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: schema.required ?? [],
  });
}

function fittingText({ format, pattern, minLength, maxLength, ...schema }: Schema) {
  if (format === 'email') {
    return fc.oneof(
      fc.constantFrom('zoë@bücher.example', '{{email}}'),
      fc.integer({ min: 0, max: 1e9 }).map((n) => `p${n}@example.com`),
    );
  }
  if (pattern) return fc.stringMatching(/^[a-z0-9]{3,20}$/);
  const letters = fc.constantFrom('a', 'Z', '7', ' ', '-', 'ä', '日', '😀', 'e\u0301');
  const text = fc
    .array(letters, { minLength: minLength ?? 0, maxLength: maxLength ?? 60 })
    .map((all) => Array.from(all.join('')).slice(0, maxLength).join(''));
  const plain = maxLength === 60 ? fc.oneof(text, known) : text;
  return types(schema).includes('null') ? fc.option(plain) : plain;
}

/** A body that breaks the schema for certain. */
export function breaking(given: Schema, document: OpenApi, levels = LEVELS): fc.Arbitrary<unknown> {
  const schema = resolve(given, document);
  const whole = fc.constantFrom<unknown>(null, 7, 'text', true, 1.5);
  if (types(schema).includes('array')) {
    const item = schema.items ?? {};
    const { minItems = 0, maxItems = 100 } = schema;
    return fc.oneof(
      whole,
      breaking(item, document, levels - 1).map((broken) => [broken]),
      fc.constant(Array(maxItems + 1).fill({})),
      fc.constant(minItems > 0 ? [] : [7]),
    );
  }
  const properties = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  const extra = fc.tuple(
    fc.oneof(fc.constantFrom('Visibility', '__proto__', 'constructor', 'toString'), nastyText),
    anyJson,
  );
  const wrong = properties.map(([name, field]) =>
    breakingValue(field, document, levels).map((value) => [name, value] as const),
  );
  const spoilers = [
    extra.filter(([name]) => !properties.some(([known]) => known === name)),
    ...wrong,
    ...(required.length > 0 ? [fc.constantFrom(...required).map((name) => [name] as const)] : []),
  ] as fc.Arbitrary<readonly [string, unknown?]>[];
  const spoiled = fc
    .tuple(fitting(schema, document, levels), fc.oneof(...spoilers))
    .map(([body, [name, ...value]]) => {
      const entries = Object.entries(body as object).filter(([key]) => key !== name);
      return Object.fromEntries(value.length > 0 ? [...entries, [name, value[0]]] : entries);
    });
  return fc.oneof({ weight: 1, arbitrary: whole }, { weight: 9, arbitrary: spoiled });
}

/** A value of the wrong type, or one step out of bounds. */
function breakingValue(given: Schema, document: OpenApi, levels: number): fc.Arbitrary<unknown> {
  const schema = resolve(given, document);
  const type = types(schema);
  const wrong: unknown[] = [true, [[]], ...(type.includes('null') ? [] : [null])];
  if (!type.includes('string')) wrong.push('text');
  if (!type.includes('integer') && !type.includes('number')) wrong.push(7, -0.5);
  if (!type.includes('object')) wrong.push({}, { length: 3 });
  const { minLength = 0, maxLength, minimum, maximum } = schema;
  if (minLength > 0 && !schema.enum) wrong.push('x'.repeat(minLength - 1));
  if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1));
  if (schema.enum) wrong.push('nonsense', '');
  if (maxLength !== undefined) wrong.push('abc\0', 'abc\ud800');
  if (minimum !== undefined) wrong.push(minimum - 1, minimum + 0.5);
  if (maximum !== undefined) wrong.push(maximum + 1);
  if (type.includes('object') && !schema.properties) {
    wrong.push({ a: '\0' }, { '\0': 1 }, { a: ['\udc00'] });
  }
  const values = fc.constantFrom(...wrong);
  return type.includes('array') && levels > 0
    ? fc.oneof(values, breaking(schema, document, levels))
    : values;
}

/** Bodies that are no JSON, or far too much of it. */
export const unreadable = fc.constantFrom(
  '{',
  '',
  '{"a":1,}',
  "{'a':1}",
  'undefined',
  '\u0000',
  '{"name":"x"}{"name":"y"}',
  '[1',
  '"\\ud800',
  '{"a":01}',
  '{"a":NaN}',
);
