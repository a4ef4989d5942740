import { Backlog } from '../../src/collections/writer/batch-queue.js';

const bound = (key: string, count: number, bytes: number) => ({ key, count, bytes });

/** Holds some bytes until it is told to end. */
function hold(backlog: Backlog, bounds: ReturnType<typeof bound>[], bytes: number) {
  let end = () => {};
  const result = backlog.during(
    bounds,
    bytes,
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  return { result, end };
}

test.each([
  ['number', 2, 100, 10],
  ['bytes', 10, 100, 50],
])(
  'a key has a bounded %s waiting, and room again when something ends',
  async (_, count, all, each) => {
    const backlog = new Backlog();
    const bounds = [bound('ada', count, all)];
    const [first, second] = [hold(backlog, bounds, each), hold(backlog, bounds, each)];
    await expect(hold(backlog, bounds, each).result).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 1,
    });
    const other = hold(backlog, [bound('bob', count, all)], each);
    first.end();
    await first.result;
    const third = hold(backlog, bounds, each);
    for (const { end } of [second, third, other]) end();
    await Promise.all([second.result, third.result, other.result]);
  },
);

test('every key must have room', async () => {
  const backlog = new Backlog();
  const ofAll = bound('ada', 1, 100);
  const first = hold(backlog, [bound('ada here', 1, 100), ofAll], 1);
  await expect(hold(backlog, [bound('ada there', 1, 100), ofAll], 1).result).rejects.toThrow();
  first.end();
  await first.result;
});

test('a single piece may be of any size', async () => {
  const large = hold(new Backlog(), [bound('ada', 1, 100)], 1_000);
  large.end();
  await large.result;
});

test('what fails leaves room', async () => {
  const backlog = new Backlog();
  const bounds = [bound('ada', 1, 100)];
  const failing = backlog.during(bounds, 1, () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  await backlog.during(bounds, 1, () => Promise.resolve());
});
