import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Asks the database for as little as can be asked. */
@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Rejects where there is no connection to be had, or no answer on it. */
  async ping(): Promise<void> {
    await this.database.query(PING, []);
  }
}

const PING = { name: 'health.ping', text: 'SELECT 1' };
