interface EditedMigration {
  name: string;
  /** Of its earlier text. */
  checksum: string;
  /** What the earlier text lacks and no later migration makes up for. */
  sql: string;
}

/**
 * Migrations that were edited before the first release. Databases that have applied their earlier text
 * are continued; amendHistory() makes up for the difference.
 */
export const EDITED: readonly EditedMigration[] = [
  {
    // The order of a key's columns: by_team makes that key again.
    name: '20260101000000_initial',
    checksum: '4a63e12c755f32844212f0c13dd59097488ee613f02fd34178d82d2dee18f4df',
    sql: '',
  },
  {
    // And an index by email, which ascii_emails makes again.
    name: '20260401000000_by_team',
    checksum: '76b67c5c5847ada651dec26a482acee0ed74c8f9d09017f1a29c3ae91628a24a',
    sql: 'CREATE INDEX team_invites_team_idx ON team_invites (team_id, state)',
  },
  {
    name: '20260706000000_list_id',
    checksum: 'aaa6fc22c0568605d1d0acb24749bd3df40a4cc7bd681717f195db97eddf8ef8',
    sql: `DROP INDEX collections_parent_idx;
      CREATE INDEX collections_parent_idx ON collections (team_id, parent_id, workspace_id)
        WHERE parent_id IS NOT NULL`,
  },
];

/** True if a migration was recorded with its text from before the first release. */
export const isEarlierText = (name: string, recorded: string): boolean =>
  EDITED.some((edited) => edited.name === name && edited.checksum === recorded);
