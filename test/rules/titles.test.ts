import { retitled, titledAs } from '../../src/collections/items/titles.js';

const LONG = 'How we found out, after three weeks, that the pump was never broken';

describe('a new item', () => {
  test.each([
    [{}, 'Untitled', 'Untitled'],
    [{ title: null }, 'Untitled', 'Untitled'],
    [{ name: 'Name' }, 'Name', 'Name'],
    [{ name: 'Name', title: null }, 'Name', 'Name'],
    [{ name: 'Name', title: LONG }, 'Name', LONG],
    [{ title: 'Short' }, 'Short', 'Short'],
    [{ title: LONG }, 'How we found out, after three we', LONG],
  ])('%j: name %j, title %j', (naming, name, title) => {
    expect(titledAs(naming)).toEqual({ name, title });
  });

  test.each([
    ['counts code points', '🚀'.repeat(40), '🚀'.repeat(32)],
    ['takes no part of a surrogate pair', `a${'🚀'.repeat(40)}`, `a${'🚀'.repeat(31)}`],
    ['cuts at 32 and no sooner', 'a'.repeat(32), 'a'.repeat(32)],
    ['has no white space at its ends', ` \u00a0${'a'.repeat(29)}\u3000\u0085b c`, 'a'.repeat(29)],
    ['has the white space inside', `a${' '.repeat(30)}b c`, `a${' '.repeat(30)}b`],
    ['begins after white space that is longer', `${' \u2003'.repeat(20)}a b`, 'a b'],
  ])('the name of a title %s', (_, title, name) => {
    expect(titledAs({ title })).toEqual({ name, title });
  });
});

describe('an item', () => {
  const item = { name: 'Name', title: LONG };
  test.each([
    ['that is not named', {}, item],
    ['of an equal name keeps its title', { name: 'Name' }, item],
    ['of another name has no title', { name: 'Other' }, { name: 'Other', title: 'Other' }],
    ['without its title', { title: null }, { name: 'Name', title: 'Name' }],
    [
      'of an equal name without title',
      { name: 'Name', title: null },
      { name: 'Name', title: 'Name' },
    ],
    ['of another name and title', { name: 'N', title: 'T' }, { name: 'N', title: 'T' }],
    ['of a title alone', { title: 'Title' }, { name: 'Title', title: 'Title' }],
    [
      'of its own title',
      { title: LONG },
      { name: 'How we found out, after three we', title: LONG },
    ],
  ])('%s', (_, naming, expected) => {
    expect(retitled(item, naming)).toEqual(expected);
  });
});
