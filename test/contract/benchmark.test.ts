import { costName } from '../../bench/operations/operation.js';
import { OPERATIONS as ROWS } from '../../bench/operations.js';
import { golden, goldenDocument } from '../support/golden.js';

const { paths } = goldenDocument<{
  paths: Record<string, Record<string, { operationId?: string }>>;
}>();
const costs = golden<Record<string, unknown>>('costs.json');

test('each operation of the API has a row in the benchmark', () => {
  const ids = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId = [] }) => operationId);
  expect(ids.length).toBeGreaterThan(30);
  const measured = new Set(ROWS.map(({ operationId }) => operationId));
  expect(ids.filter((id) => !measured.has(id))).toEqual([]);
});

test('no row of the benchmark is of an operation that is not there', () => {
  const ids = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).map((it) => it.operationId)),
  );
  const rows = ROWS.flatMap(({ operationId }) => operationId ?? []);
  expect(rows.filter((id) => !ids.has(id))).toEqual([]);
});

test('each row has a name of its own, and its statements are among the golden costs', () => {
  const names = ROWS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  const unknown = ROWS.filter((row) => {
    const name = costName(row);
    return name !== null && !(name in costs);
  });
  expect(unknown.map(({ name }) => name)).toEqual([]);
});
