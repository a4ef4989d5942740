import { readdirSync, readFileSync } from 'node:fs';

/** The files of src that match outside comments, except where that is expected. */
function filesWith(pattern: RegExp, expected: RegExp): string[] {
  const src = new URL('../../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const code = (file: string) =>
    readFileSync(new URL(file, src), 'utf8').replace(/\/\*.*?\*\/|^ *\/\/.*?$/gms, '');
  return files
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !/^generated\//.test(file))
    .filter((file) => !expected.test(file) && pattern.test(code(file)))
    .sort();
}

test('SQL is in repositories, statements, purges, jobs and src/database, except for these', () => {
  const expected = /(\.repository|-statements|-purge)\.ts$|^(database|development|jobs)\//;
  expect(filesWith(/\b(SELECT|INSERT INTO|DELETE FROM|UPDATE \w+)\s/, expected)).toEqual([
    'collections/items/item-sql.ts',
    'collections/tree/tree-lists.ts',
    'http/health.ts',
  ]);
});

test('_id and Visibility are in wire files and in what is documented, except for these', () => {
  const expected = /\.(wire|fields|controller)\.ts$|^openapi\//;
  expect(filesWith(/\b_id\b|\bVisibility"?:/, expected)).toEqual([
    'collections/items/replay-access.ts',
    'errors/domain-error.ts',
    'webhooks/delivery/webhook-sender.ts',
  ]);
});

test('wire classes are described by @Schema, @Property and the decorators of fields', () => {
  expect(filesWith(/\bApi(Schema|Property|PropertyOptional)\(/, /^$/)).toEqual([
    'openapi/property.ts',
    'validation/fields.ts',
  ]);
});
