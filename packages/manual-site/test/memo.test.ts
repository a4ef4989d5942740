import { Memo } from '../src/memo.js';

describe('what is made once', () => {
  test('is made once for all callers', async () => {
    const memo = new Memo();
    let made = 0;
    const make = async () => ++made;
    expect(await Promise.all([memo.get('a', make), memo.get('a', make)])).toEqual([1, 1]);
    expect(await memo.get('b', make)).toBe(2);
  });

  test('is made again after a failure', async () => {
    const memo = new Memo();
    let tries = 0;
    const make = async () => {
      if (++tries === 1) throw new Error('too many open files');
      return tries;
    };
    await expect(memo.get('a', make)).rejects.toThrow('too many open files');
    expect(await memo.get('a', make)).toBe(2);
  });
});
