var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { isForbidden, isUndefinedTable } from '../database/database-errors.js';
import { readMigrations } from '../database/migrations.js';
/** Runs the cheapest possible query. */
let HealthRepository = class HealthRepository {
    database;
    migrations = readMigrations().map(({ name }) => name);
    constructor(database) {
        this.database = database;
    }
    /** Rejects if no connection can be opened, or none responds. */
    async ping() {
        await this.database.query(PING, []);
    }
    /** The migrations of this version that the database does not have. Rejects as ping() does. */
    async missingMigrations() {
        try {
            const rows = await this.database.query(MISSING, [this.migrations]);
            return rows.map(({ name }) => name);
        }
        catch (error) {
            if (isUndefinedTable(error))
                return this.migrations;
            // A role may be allowed to use the tables without being allowed to read their history.
            if (isForbidden(error))
                return [];
            throw error;
        }
    }
};
HealthRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], HealthRepository);
export { HealthRepository };
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
//# sourceMappingURL=health.repository.js.map