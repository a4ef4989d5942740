import { IndexPace } from '../../src/collections/search/index-pace.js';

/** The multiple after pauses of 10 ms, of which others use this share in turns. */
const pausing = (pace: IndexPace, pauses: number, ...used: number[]): number => {
  let multiple = 0;
  for (let n = 0; n < pauses; n++) {
    const active = (used[n % used.length] ?? 0) * 10;
    multiple = pace.next({ active, idle: 10 - active });
  }
  return multiple;
};

describe('the job of the index pauses', () => {
  test('for half as long as it works, while others use up to half of the event loop', () => {
    expect(pausing(new IndexPace(), 200, 0)).toBe(0.5);
    expect(pausing(new IndexPace(), 200, 0.5)).toBeCloseTo(0.5);
  });

  test('for 19 times as long, while they use all of it, at once after the start, too', () => {
    expect(pausing(new IndexPace(), 200, 1)).toBe(19);
    expect(new IndexPace().next({ active: 10, idle: 0 })).toBe(19);
  });

  test('no longer because a request fills one pause of five', () => {
    const pace = new IndexPace();
    pausing(pace, 200, 0, 0, 0, 0, 1);
    for (let n = 0; n < 20; n++) expect(pausing(pace, 1, n % 5 === 0 ? 1 : 0)).toBe(0.5);
  });

  test('gradually longer, and shorter within seconds after they end', () => {
    const multiples = [0.5, 0.6, 0.7, 0.8, 0.9].map((used) => pausing(new IndexPace(), 500, used));
    expect(multiples).toEqual(multiples.toSorted((a, b) => a - b));
    expect(multiples[2]).toBeCloseTo(9.75, 0);
    const pace = new IndexPace();
    pausing(pace, 500, 1);
    expect(pausing(pace, 20, 0)).toBeGreaterThan(9);
    expect(pausing(pace, 80, 0)).toBe(0.5);
  });
});
