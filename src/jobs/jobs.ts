import type { ADVISORY_LOCKS } from '../database/advisory-locks.js';

interface Job {
  /** What a round does; docs/monitor.md shows it. */
  does: string;
  /** Milliseconds between two rounds. */
  interval: number;
  /** Let one instance at a time work; none: see what it does. */
  locks: readonly (keyof typeof ADVISORY_LOCKS)[];
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
    locks: ['keysPurge', 'sentMailsPurge', 'auditPurge', 'versionsPurge', 'changesPurge'],
    log: 'retention',
    failure: 'what is too old was not purged',
  },
  changesPurge: {
    does: 'removes the oldest changes of a workspace that has more than the plan of its team allows',
    interval: MINUTE,
    locks: ['changesPurge'],
    log: 'changes',
    failure: 'changes were not purged',
  },
  trashPurge: {
    does: 'purges what has expired in the trash and what exceeds the limit of a plan; removes what was purged',
    interval: MINUTE,
    locks: ['trashPurge'],
    log: 'trash',
    failure: 'the trash was not purged',
  },
  statistics: {
    does: 'analyzes tables that have a megabyte or more and were never analyzed, if the role of the service owns them',
    interval: MINUTE,
    locks: ['statistics'],
    log: 'statistics',
    failure: 'tables were not analyzed',
  },
  pageIndexer: {
    does: 'keeps the index of words for search in pages; one instance at a time, by a lease',
    interval: SECOND,
    locks: [],
    log: 'search',
    failure: 'the index of words was not kept',
  },
  inviteOutbox: {
    does: 'sends the mails of invites; every instance, each mail by one',
    interval: 2 * SECOND,
    locks: [],
    log: 'mail',
    failure: 'the outbox cannot be read',
  },
  deliveryScheduler: {
    does: 'finds what is to be sent to webhooks; one instance at a time, by a lease',
    interval: SECOND,
    locks: [],
    log: 'webhooks',
    failure: 'changes were not looked for',
  },
  webhookSender: {
    does: 'delivers messages to webhooks; every instance, each webhook by one',
    interval: SECOND,
    locks: [],
    log: 'webhooks',
    failure: 'messages were not looked for',
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof JOBS;
