import {
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type RetryReason, retryReason } from '@teamspaces/pg-lanes/driver-errors';
import type { LaneError, LaneErrorCode } from '@teamspaces/pg-lanes/errors';
import { Lanes } from '@teamspaces/pg-lanes/lanes';
import type { Address } from '@teamspaces/pg-lanes/service-client';
import { point } from '@teamspaces/pg-lanes/statements';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { busy, DomainError, outcomeUnknown } from '../errors/domain-error.js';

export type { Reader, Transaction } from '@teamspaces/pg-lanes/lanes';

/** How to reach the database. */
export interface DatabaseConfig extends Config {
  /** For an operator's command: its transactions may wait, and take, as long as they need. */
  hasNoTimeouts?: true;
}

/** How each connection of the service is made. */
export function addressOf({ databaseUrl, databasePreparedStatements }: Config): Address {
  if (databaseUrl === null) throw new Error('createApp() needs a database address');
  return {
    connectionString: databaseUrl,
    applicationName: 'teamspaces',
    hasSession: databasePreparedStatements,
  };
}

/** Reports retried transactions. One that is retried over and over takes its locks in a wrong order. */
export class Retries {
  private readonly logger = new Logger('database');
  private count: (reason: RetryReason) => void = () => undefined;

  /** @param count is called for each */
  countBy(count: (reason: RetryReason) => void): void {
    this.count = count;
  }

  /** To be called before a transaction is retried. @param error why */
  note(error: unknown): void {
    const reason = retryReason(error);
    this.count(reason);
    const line = `a transaction is retried: ${reason}`;
    if (reason === 'deadlock') this.logger.warn(line);
    else this.logger.debug(line);
  }
}

/** Finds a row on Citus. */
export const CITUS = point(1, {
  name: 'database.citus',
  text: "SELECT extname FROM pg_extension WHERE extname = 'citus'",
});

/** Runs statements and transactions; what it refuses is a DomainError. */
@Injectable()
export class Database extends Lanes implements OnApplicationShutdown {
  /** Transactions that were retried. */
  readonly retries: Retries;
  private distributed: Promise<boolean> | null = null;

  constructor(@Inject(CONFIG) config: DatabaseConfig) {
    const retries = new Retries();
    super({
      ...addressOf(config),
      size: config.databasePoolSize,
      checksRows: !config.production,
      hasNoTimeouts: config.hasNoTimeouts,
      explain,
      onRetry: (error) => retries.note(error),
    });
    this.retries = retries;
  }

  /** True on Citus, which takes fewer kinds of statements; asked once. */
  isDistributed(): Promise<boolean> {
    this.distributed ??= this.query(CITUS, []).then(
      ({ length }) => length > 0,
      (error: unknown) => {
        this.distributed = null;
        throw error;
      },
    );
    return this.distributed;
  }

  onApplicationShutdown(): Promise<void> {
    return this.end();
  }
}

/** What a refusal means to a caller. */
export const explain = ({ code, cause }: LaneError): DomainError => REFUSALS[code](cause);

const REFUSALS: Record<LaneErrorCode, (cause: unknown) => DomainError> = {
  busy,
  outcome_unknown: outcomeUnknown,
  too_many_reads: (cause) =>
    new DomainError(
      'rate_limit_exceeded',
      'too many large reads are in progress: try again in a second, with fewer at a time',
      { cause, retryAfterSeconds: 1 },
    ),
  too_many_streams: (cause) =>
    new DomainError(
      'rate_limit_exceeded',
      'too many responses of more than 8 MiB are being sent: read those that are in progress to their end, then try again',
      { cause, retryAfterSeconds: 5 },
    ),
};

@Global()
@Module({ providers: [Database], exports: [Database] })
export class DatabaseModule {}
