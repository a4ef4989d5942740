import pg from 'pg';

const { escapeLiteral } = pg;

/** Tables that are distributed by team (deploy/citus/distribute.sql). */
export const DISTRIBUTED = [
  ...['team_usage', 'workspaces', 'workspace_members', 'collections'],
  ...['trash_deletions', 'trash_items', 'tree_changes', 'audit_entries', 'page_versions'],
  ...['search_positions', 'page_words'],
];

/** What the purge of the trash looks for once a minute, over all teams. */
export const OVER_ALL_TRASH = [
  ...['trashPurge.count', 'trashPurge.next', 'trashPurge.nextWorkspace', 'trashPurge.overdue'],
];

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * The nodes of the plan that a connection keeps for a statement, for all values.
 * @param values runs it with them, so that the nodes have the rows that they found
 */
export async function planOf(
  client: pg.Client,
  text: string,
  values?: readonly (string | number | null)[],
): Promise<PlanNode[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  await client.query("SET plan_cache_mode = 'force_generic_plan'");
  await client.query(`PREPARE checked AS ${text}`);
  const literals = (values ?? Array(count).fill(null)).map((value) =>
    value === null ? 'NULL' : escapeLiteral(String(value)),
  );
  const list = count > 0 ? `(${literals.join(', ')})` : '';
  const options = values ? 'ANALYZE, TIMING OFF, FORMAT JSON' : 'FORMAT JSON';
  const { rows } = await client.query(`EXPLAIN (${options}) EXECUTE checked${list}`);
  await client.query('DEALLOCATE checked');
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode);
}

/** Rows of a table that a plan has looked at, those included that it passed over. */
export const rowsTouched = (nodes: readonly PlanNode[], table: string): number =>
  nodes
    .filter((node) => node['Relation Name'] === table)
    .map(
      (node) =>
        (node['Actual Loops'] ?? 0) *
        ((node['Actual Rows'] ?? 0) +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)),
    )
    .reduce((sum, rows) => sum + rows, 0);

/** Columns that the condition of an index compares with one value. */
function pinned(condition: string): Set<string> {
  const compared = [...condition.matchAll(/\(?"?(\w+)"?\)?(?:::\w+)? (=|>=|<=) /g)];
  const by =
    (...signs: string[]) =>
    (name: string) =>
      signs.every((sign) =>
        compared.some(([, column, found]) => column === name && found === sign),
      );
  const names = [...new Set(compared.map(([, column = '']) => column))];
  return new Set(names.filter((name) => by('=')(name) || by('>=', '<=')(name)));
}

/** How a plan finds rows: for each scan its table, and by which index. */
export class Accesses {
  private constructor(
    private readonly tables: ReadonlyMap<string, string>,
    private readonly uniqueKeys: readonly { table: string; columns: string[] }[],
  ) {}

  static async read(client: pg.Client): Promise<Accesses> {
    const { rows } = await client.query<{
      name: string;
      table: string;
      columns: string[];
      isUnique: boolean;
    }>(`
      SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table,
        i.indisunique AS "isUnique", ARRAY(
          SELECT pg_get_indexdef(i.indexrelid, n, false) FROM generate_series(1, i.indnkeyatts) n
        ) AS columns
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relnamespace = 'public'::regnamespace`);
    return new Accesses(
      new Map(rows.map(({ name, table }) => [name, table])),
      rows.filter(({ isUnique }) => isUnique),
    );
  }

  /**
   * The scans of a plan: `table: index`, or `table: one row` if the condition leaves one at most, by
   * whichever index. Ids are unique over all teams, although only the key with the team says so.
   */
  of(nodes: readonly PlanNode[]): string[] {
    const scans = nodes.flatMap((node) => {
      const index = node['Index Name'];
      if (!index) {
        return node['Node Type'] === 'Seq Scan' ? [`${node['Relation Name']}: all rows`] : [];
      }
      const table = this.tables.get(index) ?? '';
      const found = pinned(node['Index Cond'] ?? '');
      const isOne = this.uniqueKeys.some(
        (key) =>
          key.table === table &&
          key.columns.every(
            (column) => found.has(column) || (column === 'team_id' && found.has('id')),
          ),
      );
      return [`${table}: ${isOne ? 'one row' : index}`];
    });
    return [...new Set(scans)].sort();
  }
}
