import { Injectable } from '@nestjs/common';
import { decideTeam } from '../../access/decide.js';
import { record } from '../../audit/audit-entries.repository.js';
import { Database } from '../../database/database.js';
import { Metrics } from '../../observability/metrics.js';
import { takeMembershipLock } from '../../teams/teams.repository.js';
import { DISABLE_REASONS, type DisableReason, onWebhook } from '../webhook.js';
import { disableWebhook, forgetStates } from '../webhooks.repository.js';
import { type DueWebhook, findEnabled } from './deliveries.repository.js';

/** What waits for a lock of a team must not hold the connections of deliveries. */
const BY_DISABLING = { purpose: 'webhooks.disable' };

/** Ends webhooks on the service's own account. */
@Injectable()
export class WebhookDisabler {
  private readonly disabled;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    this.disabled = metrics.counter(
      'teamspaces_webhooks_disabled_total',
      'Webhooks that the service has disabled, by reason.',
      ['reason'],
    );
    for (const reason of DISABLE_REASONS) this.disabled.inc({ reason }, 0);
  }

  /** Disables a webhook, unless that was changed meanwhile. */
  async disable(webhook: DueWebhook, reason: DisableReason): Promise<void> {
    const { teamId, webhookId: id } = webhook;
    const isDone = await this.database.transaction(async (tx) => {
      takeMembershipLock(tx, teamId);
      const found = await findEnabled(tx, webhook);
      const isOwned = decideTeam('team.manageWebhooks', found?.makerRole ?? null) === 'allow';
      if (!found || (reason === 'maker_not_owner' && isOwned)) return false;
      disableWebhook(tx, teamId, id, reason);
      forgetStates(tx, teamId, id);
      const author = { id: null, requestId: null };
      const target = onWebhook({ id, url: found.url });
      record(tx, teamId, author, { action: 'webhook.disabled', ...target, details: { reason } });
      return true;
    }, BY_DISABLING);
    if (isDone) this.disabled.inc({ reason });
  }

  /**
   * Forgets what a round has written about a webhook that was disabled or deleted meanwhile: it would be found as
   * due again and again.
   */
  async forgetDisabled(webhook: DueWebhook): Promise<void> {
    if (await findEnabled(this.database, webhook)) return;
    const { teamId, webhookId } = webhook;
    await this.database.transaction(async (tx) => {
      takeMembershipLock(tx, teamId);
      if (!(await findEnabled(tx, webhook))) forgetStates(tx, teamId, webhookId);
    }, BY_DISABLING);
  }
}
