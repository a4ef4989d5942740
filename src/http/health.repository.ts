import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { isForbidden, isUndefinedTable } from '../database/database-errors.js';
import { readMigrations } from '../database/migrations.js';

/** Runs the cheapest possible query. */
@Injectable()
export class HealthRepository {
  private readonly migrations = readMigrations().map(({ name }) => name);

  constructor(private readonly database: Database) {}

  /** Rejects if no connection can be opened, or none responds. */
  async ping(): Promise<void> {
    await this.database.query(PING, []);
  }

  /** The migrations of this version that the database does not have. Rejects as ping() does. */
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

const PING = { name: 'health.ping', text: 'SELECT 1' };

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
