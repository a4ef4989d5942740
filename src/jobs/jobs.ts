import type { ADVISORY_LOCKS } from '../database/advisory-locks.js';

interface Job {
  /** What a round does; docs/monitor.md shows it. */
  does: string;
  /** Milliseconds between two rounds. */
  interval: number;
  /** Lets one instance at a time work; null: see what it does. */
  lock: keyof typeof ADVISORY_LOCKS | null;
  /** Its name in the log. */
  log: string;
  /** What has not happened if a round fails, for the log. */
  failure: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * All that runs by itself on the database, on every instance. A BackgroundJob is created with its row here, and
 * test/contract/jobs.test.ts compares the rows with the jobs of the service, and with docs/monitor.md.
 */
export const JOBS = {
  retention: {
    does: 'removes expired idempotency keys, sent mails that no limit counts any more, entries of audit logs, versions of pages and changes; one instance at a time for each table',
    interval: MINUTE,
    lock: null,
    log: 'retention',
    failure: 'nothing was purged by its age',
  },
  changesPurge: {
    does: 'removes the oldest changes of a workspace that has more than the plan of its team allows',
    interval: MINUTE,
    lock: 'changesLimit',
    log: 'changes',
    failure: 'changes were not purged',
  },
  trashPurge: {
    does: 'purges what has expired in the trash and what exceeds the limit of a plan; removes what was purged',
    interval: MINUTE,
    lock: 'trashPurge',
    log: 'trash',
    failure: 'the trash was not purged',
  },
  statistics: {
    does: 'analyzes tables that have a megabyte or more and were never analyzed, if the role of the service owns them',
    interval: MINUTE,
    lock: 'statistics',
    log: 'statistics',
    failure: 'tables were not analyzed',
  },
  inviteOutbox: {
    does: 'sends the mails of invites; every instance, each mail by one',
    interval: 2 * SECOND,
    lock: null,
    log: 'mail',
    failure: 'the outbox cannot be read',
  },
  changeRound: {
    does: 'finds what is to be sent to webhooks; one instance at a time, by a lease',
    interval: SECOND,
    lock: null,
    log: 'webhooks',
    failure: 'changes were not looked for',
  },
  webhookSender: {
    does: 'delivers messages to webhooks; every instance, each webhook by one',
    interval: SECOND,
    lock: null,
    log: 'webhooks',
    failure: 'messages were not looked for',
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof JOBS;
