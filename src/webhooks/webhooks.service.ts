import { Inject, Injectable } from '@nestjs/common';
import { decide } from '../access/decide.js';
import { record } from '../audit/audit-entries.repository.js';
import type { Actor } from '../auth/actor.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database, type Reader, type Transaction } from '../database/database.js';
import { isPossibleSlug, isUuid, NO_ID, newId } from '../database/identifiers.js';
import { timeOf } from '../database/time.js';
import { notFound } from '../errors/domain-error.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import type { TeamRef } from '../teams/team.js';
import { TeamsService } from '../teams/teams.service.js';
import { AllowedHosts } from './attempts/addresses.js';
import type { DueWebhook } from './delivery/deliveries.repository.js';
import { secretOf } from './delivery/signatures.js';
import { WebhookSender } from './delivery/webhook-sender.js';
import { MAX_URL, MAX_WEBHOOKS } from './limits.js';
import {
  badUrl,
  type Delivery,
  type NewWebhook,
  newMessage,
  noWebhooks,
  onWebhook,
  tooManyWebhooks,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookChanges,
  webhookDisabled,
} from './webhook.js';
import {
  countWebhooks,
  deleteWebhook,
  findByIds,
  findBySlugs,
  findWebhook,
  forgetStates,
  insertMarks,
  insertWebhook,
  keepStates,
  LIST,
  listDeliveries,
  lookAtAudit,
  queueTest,
  recentlyChanged,
  renewSecret,
  updateWebhook,
} from './webhooks.repository.js';

const ACTION = 'team.manageWebhooks';

/** A delivery, and the slug of its workspace; null: it is about the team. */
export type ListedDelivery = Delivery & { slug: string | null };

/** What owners do with the webhooks of their team. */
@Injectable()
export class WebhooksService {
  private readonly hosts: AllowedHosts;

  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly sender: WebhookSender,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.hosts = new AllowedHosts(config.webhookAllowedHosts);
  }

  /** The webhooks of the team, oldest first. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef): Promise<Webhook[]> {
    return this.read(actor, ref, null);
  }

  /** @throws DomainError not_found, forbidden */
  async get(actor: Actor, ref: TeamRef, id: string): Promise<InTeam> {
    const [webhook] = await this.read(actor, ref, isUuid(id) ? id : NO_ID);
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  /** The secret of a webhook: for the response that shows it. */
  secretOf(webhook: Webhook): string {
    return secretOf(this.key(), webhook);
  }

  /**
   * Makes a webhook that acts for the caller: messages are sent about what changes from now on.
   * @throws DomainError forbidden: role, no WEBHOOK_KEY, or too many webhooks; not_found: team or workspace;
   *   bad_request: url
   */
  async create(
    actor: Actor,
    ref: TeamRef,
    given: NewWebhook,
    write: IdempotentWrite<Webhook> | null,
  ): Promise<Webhook> {
    const team = await this.teams.forAction(actor, ref, ACTION);
    this.key();
    const url = this.checkedUrl(given.url);
    const work = withIdempotencyKey(write, { teamId: team.id }, async (tx) => {
      const [, count, workspaceIds] = await Promise.all([
        this.teams.lockForAction(tx, actor, team.id, ACTION),
        countWebhooks(tx, team.id),
        this.idsOf(tx, actor, team.id, given.workspaces ?? null),
      ]);
      if (count >= MAX_WEBHOOKS) throw tooManyWebhooks();
      const events = given.events ?? [...WEBHOOK_EVENTS];
      const made = { id: newId(), url, events, workspaceIds };
      insertWebhook(tx, team.id, actor.id, made);
      record(tx, team.id, actor, { action: 'webhook.created', ...onWebhook(made), details: {} });
      await this.begin(tx, actor, team.id, made, null);
      return found(await findWebhook(tx, team.id, actor.id, made.id));
    });
    return this.database.transaction(work, { callerId: actor.id, teamId: team.id });
  }

  /**
   * Changes what `changes` names; the caller becomes the maker.
   * @throws DomainError forbidden, not_found, bad_request as create()
   */
  update(actor: Actor, ref: TeamRef, id: string, changes: WebhookChanges): Promise<Webhook> {
    return this.change(actor, ref, id, null, async (tx, teamId, before) => {
      const { events = before.events, enabled = before.enabled, workspaces } = changes;
      const given = changes.url === undefined ? before.url : this.checkedUrl(changes.url);
      // What was stored as it was written is the same URL.
      const url = given === new URL(before.url).href ? before.url : given;
      const workspaceIds =
        workspaces === undefined
          ? before.workspaceIds
          : await this.idsOf(tx, actor, teamId, workspaces);
      const after: Webhook = { ...before, url, events, enabled, workspaceIds };
      const fields = (['url', 'events', 'workspaceIds', 'enabled'] as const)
        .filter((field) => !isSame(before[field], after[field]))
        .map((field) => (field === 'workspaceIds' ? 'workspaces' : field));
      if (fields.length === 0) return before;
      const restarts = enabled && !before.enabled;
      updateWebhook(tx, teamId, actor.id, after, restarts);
      record(tx, teamId, actor, {
        action: 'webhook.updated',
        ...onWebhook(after),
        details: { fields },
      });
      if (restarts || !enabled) forgetStates(tx, teamId, id);
      else {
        const workspaces = isAboutTrees(after) && (workspaceIds ?? true);
        keepStates(tx, teamId, id, isAboutTeam(after), workspaces);
      }
      if (enabled) await this.begin(tx, actor, teamId, after, restarts ? null : before);
      return found(await findWebhook(tx, teamId, actor.id, id));
    });
  }

  /** Gives the webhook another secret; the one before signs for another day. @throws as update() */
  renewSecret(
    actor: Actor,
    ref: TeamRef,
    id: string,
    write: IdempotentWrite<Webhook> | null,
  ): Promise<Webhook> {
    return this.change(actor, ref, id, write, async (tx, teamId, before) => {
      renewSecret(tx, teamId, actor.id, id);
      const action = 'webhook.secret_renewed';
      record(tx, teamId, actor, { action, ...onWebhook(before), details: {} });
      return found(await findWebhook(tx, teamId, actor.id, id));
    });
  }

  /** @throws DomainError forbidden, not_found */
  async delete(actor: Actor, ref: TeamRef, id: string): Promise<void> {
    await this.change(actor, ref, id, null, async (tx, teamId, webhook) => {
      deleteWebhook(tx, teamId, id);
      const action = 'webhook.deleted';
      record(tx, teamId, actor, { action, ...onWebhook(webhook), details: {} });
      return webhook;
    });
  }

  /**
   * Has a test message sent, once; getDeliveries shows what came.
   * @throws DomainError forbidden, not_found; conflict: the webhook is disabled
   */
  async test(
    actor: Actor,
    ref: TeamRef,
    id: string,
    write: IdempotentWrite<Webhook> | null,
  ): Promise<void> {
    let tested: DueWebhook | undefined;
    await this.change(actor, ref, id, write, async (tx, teamId, webhook) => {
      if (!webhook.enabled) throw webhookDisabled();
      tested = { teamId, webhookId: id };
      const test = newMessage('webhook.test', { webhook: id }, (await timeOf(tx)).getTime());
      queueTest(tx, teamId, id, test);
      return webhook;
    });
    this.sender.lookNow(tested);
  }

  /**
   * The last attempts to deliver something, newest first, without those about workspaces that the caller may
   * not see.
   * @throws DomainError forbidden, not_found
   */
  async deliveries(actor: Actor, ref: TeamRef, id: string): Promise<ListedDelivery[]> {
    const { teamId } = await this.get(actor, ref, id);
    const deliveries = await listDeliveries(this.database, teamId, id);
    const ids = [...new Set(deliveries.flatMap(({ workspaceId }) => workspaceId ?? []))];
    const named = await findByIds(this.database, teamId, actor.id, ids);
    const slugs = new Map(named.filter(mayRead).map((one) => [one.id, one.slug]));
    return deliveries.flatMap((delivery) => {
      const { workspaceId } = delivery;
      const slug = workspaceId === null ? null : slugs.get(workspaceId);
      return slug === undefined ? [] : [{ ...delivery, slug }];
    });
  }

  /** @throws DomainError forbidden: the operator has set none */
  private key(): string {
    const { webhookKey } = this.config;
    if (webhookKey === null) throw noWebhooks();
    return webhookKey;
  }

  /** The URL as it is stored: in its normal form. @throws DomainError bad_request */
  private checkedUrl(given: string): string {
    const problem = this.hosts.problemOf(given);
    if (problem !== null) throw badUrl(problem);
    const { href } = new URL(given);
    if (href.length > MAX_URL) throw badUrl('length');
    return href;
  }

  /** @param id null: all */
  private async read(actor: Actor, ref: TeamRef, id: string | null): Promise<InTeam[]> {
    const read = await this.teams.readForAction<Webhook>(actor, ref, ACTION, [LIST, [id]]);
    this.key();
    return read;
  }

  /** Loads a webhook for a change, under the membership lock. */
  private async change(
    actor: Actor,
    ref: TeamRef,
    id: string,
    write: IdempotentWrite<Webhook> | null,
    work: (tx: Transaction, teamId: string, webhook: Webhook) => Promise<Webhook>,
  ): Promise<Webhook> {
    const { id: teamId } = await this.teams.forAction(actor, ref, ACTION);
    this.key();
    const whole = withIdempotencyKey(write, { teamId }, async (tx) => {
      const [, webhook] = await Promise.all([
        this.teams.lockForAction(tx, actor, teamId, ACTION),
        isUuid(id) ? findWebhook(tx, teamId, actor.id, id) : null,
      ]);
      return work(tx, teamId, found(webhook));
    });
    return this.database.transaction(whole, { callerId: actor.id, teamId });
  }

  /** The ids of workspaces. @throws DomainError not_found: none that the caller may read has a slug */
  private async idsOf(
    reader: Reader,
    actor: Actor,
    teamId: string,
    slugs: readonly string[] | null,
  ): Promise<string[] | null> {
    if (slugs === null) return null;
    const named = await findBySlugs(reader, teamId, actor.id, slugs.filter(isPossibleSlug));
    const readable = named.filter(mayRead);
    if (readable.length < slugs.length) throw notFound('workspace');
    return readable.map(({ id }) => id).sort();
  }

  /**
   * Marks where a webhook begins: at what is there now.
   * @param before what it was about until now, with which it continues; null: it begins
   */
  private async begin(
    tx: Transaction,
    actor: Actor,
    teamId: string,
    webhook: Scope & { id: string },
    before: Scope | null,
  ): Promise<void> {
    const isNewTeam = isAboutTeam(webhook) && !(before && isAboutTeam(before));
    const isNew = (workspaceId: string) =>
      isAbout(webhook, workspaceId) && !(before && isAbout(before, workspaceId));
    const [trees, audit] = await Promise.all([
      recentlyChanged(tx, teamId),
      isNewTeam ? lookAtAudit(tx, teamId, actor.id, null, null) : null,
    ]);
    const begun = trees.filter(({ id }) => isNew(id));
    insertMarks(tx, teamId, webhook.id, begun, audit);
  }
}

type InTeam = Webhook & { teamId: string };
type Scope = Pick<Webhook, 'events' | 'workspaceIds'>;

const isAboutTeam = ({ events }: Scope): boolean => events.includes('team.changed');
const isAboutTrees = ({ events }: Scope): boolean => events.includes('workspace.changed');
const isAbout = (scope: Scope, workspaceId: string): boolean =>
  isAboutTrees(scope) && (scope.workspaceIds?.includes(workspaceId) ?? true);

const mayRead = (workspace: Parameters<typeof decide>[1]): boolean =>
  decide('content.read', workspace) === 'allow';

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value);

/** @throws DomainError not_found */
function found(webhook: Webhook | null): Webhook {
  if (webhook === null) throw notFound('webhook');
  return webhook;
}
