import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { isForbidden, isUndefinedTable } from '../database/database-errors.js';
import { readMigrations } from '../database/migrations.js';

/** Runs the cheapest possible query. */
@Injectable()
export class HealthRepository {
  private readonly migrations = readMigrations().map(({ name }) => name);

  constructor(private readonly database: Database) {}

  /**
   * Whether transactions can write: not on a standby, and not under default_transaction_read_only.
   * Rejects if no connection can be opened, or none responds.
   */
  async isWritable(): Promise<boolean> {
    const [row] = await this.database.query<{ isReadOnly: boolean }>(READ_ONLY, []);
    return row?.isReadOnly === false;
  }

  /** The migrations of this version that the database does not have. Rejects as isWritable() does. */
  async missingMigrations(): Promise<string[]> {
    try {
      const rows = await this.database.query<{ name: string }>(MISSING, [this.migrations]);
      return rows.map(({ name }) => name);
    } catch (error) {
      if (isUndefinedTable(error)) return this.migrations;
      // A role may be allowed to use the tables without being allowed to read their history.
      if (isForbidden(error)) return [];
      throw error;
    }
  }
}

const READ_ONLY = {
  name: 'health.readOnly',
  text: `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
};

const MISSING = {
  name: 'health.missingMigrations',
  text: `
    SELECT needed.name FROM unnest($1::text[]) AS needed (name)
    WHERE NOT EXISTS (
      SELECT FROM _prisma_migrations applied
      WHERE applied.migration_name = needed.name
        AND applied.finished_at IS NOT NULL AND applied.rolled_back_at IS NULL
    )`,
};
