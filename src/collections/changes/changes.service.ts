import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import { notFound } from '../../errors/domain-error.js';
import type { HeldRequest } from '../../http/deadline.js';
import { Metrics } from '../../observability/metrics.js';
import type { Workspace, WorkspaceKey } from '../../workspaces/workspace.js';
import { cursorOfOtherWorkspace, cursorTooOld } from '../errors.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { ItemAccess } from '../items/item-access.js';
import {
  belongsTo,
  type ChangeCursor,
  type ChangePage,
  type ChangesQuery,
  cursorOf,
  END_OF_VERSION,
  type TreeState,
} from './change-cursor.js';
import { ChangeLogRepository, type FoundPage, type PageRequest } from './change-log.repository.js';
import { ChangeWaiters } from './change-waiters.js';

/** Upper bounds of the buckets of the lag, in seconds. */
const LAGS = [0.1, 1, 10, 60, 600, 3600, 6 * 3600, 24 * 3600, 7 * 24 * 3600];

/** The feed of a workspace: a first load, then what has changed since, in the order of commits. */
@Injectable()
export class ChangesService {
  private readonly lag;

  constructor(
    private readonly access: ItemAccess,
    private readonly log: ChangeLogRepository,
    private readonly waiters: ChangeWaiters,
    metrics: Metrics,
  ) {
    this.lag = metrics.histogram(
      'teamspaces_changes_lag_seconds',
      'Age of the oldest change on a page of the feed when it was read.',
      LAGS,
    );
  }

  /**
   * The next page of the feed; if there is nothing new, waits for it as long as the query says. Access
   * is decided again when a wait ends.
   * @throws DomainError bad_request: no workspace, cursor; not_found, forbidden; conflict: the cursor
   *   is too old, or of another workspace; rate_limit_exceeded: too many requests of the caller wait
   */
  async read(
    actor: Actor,
    selector: WorkspaceSelector,
    query: ChangesQuery,
    request: HeldRequest,
  ): Promise<ChangePage> {
    // A caller without a complete copy has nothing to wait for.
    const isLoading = query.cursor === null || query.cursor.loadedTo !== null;
    if (query.wait === 0 || isLoading)
      return this.page(actor, await this.authorize(actor, selector), query);
    // Before the tree's stamp is read with the workspace: what is committed meanwhile is heard of.
    const listener = this.waiters.listen(actor.id);
    try {
      const workspace = await this.authorize(actor, selector);
      listener.listenTo(workspace);
      const end = performance.now() + query.wait * 1000;
      let page = await this.page(actor, workspace, query);
      // A commit that changes no item is nothing new.
      for (let isWoken = true; isWoken && page.changes.length === 0 && !page.more; ) {
        const { cursor } = page;
        const left = Math.max(0, end - performance.now());
        isWoken = await request.hold(() => listener.wait(cursor.newest.stamp, left, request.gone));
        if (request.gone.aborted) return page;
        const now = await this.authorize(actor, selector);
        // Its slug may be another one's by now: then the cursor is, too.
        page = await this.page(actor, now, { ...query, cursor });
      }
      return page;
    } finally {
      listener.close();
    }
  }

  private authorize(actor: Actor, selector: WorkspaceSelector): Promise<Workspace> {
    return this.access.workspaceFor(actor, selector, 'content.read');
  }

  private async page(actor: Actor, workspace: Workspace, query: ChangesQuery): Promise<ChangePage> {
    const { cursor, limit, withContent } = query;
    if (cursor && !belongsTo(cursor, workspace.id)) throw cursorOfOtherWorkspace();
    if (cursor && isUpToDate(cursor, workspace)) {
      return { changes: [], cursor, more: false, lag: null };
    }
    const newest = cursor?.newest ?? null;
    const request = { callerId: actor.id, workspace, newest, limit, withContent };
    const isLoading = cursor === null || cursor.loadedTo !== null;
    const page = await (isLoading ? this.load(request, cursor) : this.increment(request, cursor));
    if (page.lag !== null) this.lag.observe(page.lag);
    return page;
  }

  private async load(request: PageRequest, cursor: ChangeCursor | null): Promise<ChangePage> {
    const found = assertFound(await this.log.load(request, cursor?.loadedTo ?? null), cursor);
    const { head, last, isCut } = found;
    // What has changed since the beginning comes after the last item.
    const version = cursor?.version ?? head.version;
    const loadedTo = isCut ? (last?.id ?? null) : null;
    const place = { version, id: END_OF_VERSION, loadedTo };
    return pageOf(request.workspace, found, place, isCut || head.version > version);
  }

  private async increment(request: PageRequest, cursor: ChangeCursor): Promise<ChangePage> {
    const found = assertFound(await this.log.increment(request, cursor), cursor);
    const { head, firstVersion, isGapless, isPlaceKept, last, isCut } = found;
    // Purged, or written by a version of the service that has no log.
    const isMissing =
      // The rest of a version that a page has ended in.
      (cursor.id !== END_OF_VERSION && !isPlaceKept) ||
      (firstVersion !== null && firstVersion > cursor.version + 1) ||
      !isGapless ||
      (!isCut && (last ?? cursor).version !== head.version);
    if (isMissing) throw cursorTooOld();
    const place = isCut && last ? last : { version: head.version, id: END_OF_VERSION };
    return pageOf(request.workspace, found, { ...place, loadedTo: null }, isCut);
  }
}

/** True if the caller has applied all that there is: the tree has the stamp that they have seen. */
const isUpToDate = (
  { version, id, newest, loadedTo }: ChangeCursor,
  { treeStamp }: Pick<Workspace, 'treeStamp'>,
): boolean =>
  loadedTo === null &&
  id === END_OF_VERSION &&
  version === newest.version &&
  newest.stamp === treeStamp;

/** @throws DomainError not_found: the workspace; conflict: the cursor belongs to another history */
function assertFound(found: FoundPage | null, cursor: ChangeCursor | null): FoundPage {
  if (found === null) throw notFound('workspace');
  if (cursor && !found.isKnown) throw cursorTooOld();
  return found;
}

function pageOf(
  { id }: WorkspaceKey,
  { items, head, lag }: FoundPage,
  place: { version: number; id: string; loadedTo: string | null },
  more: boolean,
): ChangePage {
  const newest: TreeState = head;
  return { changes: items.map(changeOf), cursor: cursorOf(id, { ...place, newest }), more, lag };
}

const changeOf = ({ id, item }: FoundPage['items'][number]): string =>
  item === null ? `{"id":"${id}","deleted":true}` : `{"id":"${id}","deleted":false,"item":${item}}`;
