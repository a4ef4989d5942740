import { goldenStatements } from '../support/golden.js';
import { DISTRIBUTED, OVER_ALL_TRASH } from '../support/plans.js';

/** Those that say no more than BEGIN are none. */
const statements = goldenStatements().filter(
  ({ text }) => !/^(BEGIN|COMMIT|ROLLBACK)\b/.test(text),
);

/**
 * What may ask every node, and no more: an item or a deletion by its id alone, a caller's teams with
 * counters, what the purges of the trash, of the log of changes, of the audit log and of versions look for once a
 * minute, and the stamps of all workspaces that somebody waits for.
 */
// A distributed database is sent items.find instead of what reads more than the place.
const isReadByIdAlone = (label: string) => label.startsWith('items.find + ');
const BY_ID = ['items.find', 'items.findAndRead', 'trash.findPlace'];
const OF_CHANGES = ['changes.treeStamps', 'changesPurge.grown', 'changesPurge.next'];
const ASKS_EVERY_NODE = [
  ...[...BY_ID, ...OF_CHANGES, ...OVER_ALL_TRASH],
  ...['auditPurge.next', 'teams.list', 'teams.list.short', 'versionsPurge.next'],
  // Once a second, for all webhooks.
  ...['webhookRounds.audited', 'webhookRounds.changed', 'webhookRounds.heads'],
  // Once a second, and every half a minute, for the index of words; and if there is to be none.
  ...['pageIndex.changed', 'pageIndex.behind', 'pageIndex.anyIndexed'],
].sort();

/** The names by which a statement calls the distributed tables that it touches. */
function references(text: string): string[] {
  const pattern = new RegExp(
    `\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(?:"?public"?\\.)?"?(${DISTRIBUTED.join('|')})"?(?:\\s+(?:AS\\s+)?"?(\\w+)"?)?`,
    'gi',
  );
  const keywords = /^(WHERE|SET|ON|JOIN|LEFT|CROSS|ORDER|GROUP|LIMIT|UNION|FOR|VALUES|RETURNING)$/i;
  return [...text.matchAll(pattern)].map(([, table = '', alias = '']) =>
    alias === '' || keywords.test(alias) ? table : alias,
  );
}

/** The tables, by these names, that a statement does not filter by team. */
function unfiltered(text: string): string[] {
  const plain = text.replaceAll('"', '').replaceAll('public.', '');
  const named = references(text);
  const insert = /^\s*INSERT INTO (\w+) \(([^)]*)\)/i.exec(plain);
  return named.filter((name) => {
    if (insert?.[1] === name && /\bteam_id\b/.test(insert[2] as string)) return false;
    if (new RegExp(`\\b${name}\\.team_id (=|IN)`).test(plain)) return false;
    // Without a name before the column, where there is one table only to which it may belong.
    return !/(^|[\s(])team_id (= \$|IN \()/.test(plain);
  });
}

test('every statement filters by team, but those that may ask every node', () => {
  const unbound = statements.filter(({ text }) => {
    const parameter = /team_id (= \$\d|IN \(\$\d)|\([^)]*\bteam_id\b[^)]*\) (VALUES|SELECT)/.test(
      text.replaceAll('"', ''),
    );
    return references(text).length > 0 && !(parameter && unfiltered(text).length === 0);
  });
  const labels = unbound.map(({ label }) => label).filter((label) => !isReadByIdAlone(label));
  expect(labels.sort()).toEqual(ASKS_EVERY_NODE);
});
