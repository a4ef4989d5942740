import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';

/** Counts what purges have removed, where several jobs count in one metric, or none of its own does. */
@Injectable()
export class PurgeCounts {
  readonly audit;
  readonly changes;
  readonly versions;

  constructor(metrics: Metrics) {
    this.audit = metrics.counter(
      'teamspaces_audit_purged_total',
      'Entries of audit logs that this instance has removed.',
    );
    this.changes = metrics.counter(
      'teamspaces_changes_purged_total',
      'Rows of the log of changes that this instance has removed, by reason: age, or size of the log.',
      ['reason'],
    );
    this.versions = metrics.counter(
      'teamspaces_versions_purged_total',
      'Versions of pages that this instance has removed, by reason: age.',
      ['reason'],
    );
    // From the start, so that the first removal shows as a change.
    for (const reason of ['age', 'size'] as const) this.changes.inc({ reason }, 0);
    this.versions.inc({ reason: 'age' }, 0);
  }
}
