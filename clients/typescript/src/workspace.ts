import { type ChangesOptions, changesOf } from './changes.js';
import { etagOf, type ItemRef, idOf } from './records.js';
import { type Options, Resource } from './resource.js';
import type {
  Change,
  Collection,
  CreateCollectionRequest,
  FoundCollection,
  Message,
  ReorderItemRequest,
  RestoreRequest,
} from './schema.js';

const WORKSPACE = '/teams/{team_slug}/workspaces/{workspace_slug}';
const COLLECTIONS = `${WORKSPACE}/collections` as const;

type InWorkspace = 'team_slug' | 'workspace_slug';

export class WorkspaceResource extends Resource<InWorkspace> {
  readonly members = new WorkspaceMembersResource(this.transport, this.known);
  /** The ordered tree of collections and pages. */
  readonly tree = new TreeResource(this.transport, this.known);
  readonly pages = new PagesResource(this.transport, this.known);
  readonly collections = new CollectionsResource(this.transport, this.known);
  /** The deleted collections and pages. */
  readonly trash = new TrashResource(this.transport, this.known);
  readonly #search = this.operation('get', `${COLLECTIONS}/search`);

  /** Collections and pages by their names: each word of `q` occurs in the name; the best matches first. */
  search(
    q: string,
    options?: Omit<Options<'get', '/collections/search'>, 'q'>,
  ): Promise<FoundCollection[]> {
    return this.#search({ ...options, q });
  }
}

export class WorkspaceMembersResource extends Resource<InWorkspace> {
  readonly list = this.listOperation(`${WORKSPACE}/members`);
  readonly add = this.operationWithBody('post', `${WORKSPACE}/members`);
  readonly update = this.operationWithBody('put', `${WORKSPACE}/members`);
  readonly remove = this.operationWithBody('delete', `${WORKSPACE}/members`);
}

export class TreeResource extends Resource<InWorkspace> {
  /** Items with their `children`: the whole tree, or a part of it by `parent` and `depth`. */
  readonly list = this.listOperation(COLLECTIONS);
  /** Creates up to 1,000 items: all, or none. */
  readonly createMany = this.operationWithBody('post', `${COLLECTIONS}/batch`);
  /** Sets the order of all children of a parent. */
  readonly order = this.operationWithBody('put', `${COLLECTIONS}/order`);

  /**
   * The changes of the workspace, in the order of commits: all items first, if no cursor is given. Ends
   * when there is no more; with `wait`, waits for the next ones until its `signal` aborts.
   * @throws ConflictError the cursor is too old: start again without one, with an empty copy
   */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined> {
    return changesOf(this.transport, this.known, options);
  }
}

/** What pages and collections share: an item is either. */
export abstract class ItemsResource extends Resource<InWorkspace> {
  readonly get = this.operation('get', `${COLLECTIONS}/{id}`);
  readonly getBySlug = this.operation('get', `${COLLECTIONS}/by-slug/{slug}`);
  readonly update = this.operationWithBody('put', `${COLLECTIONS}/{id}`);
  /** Moves the item, with all below it, to the trash; with `permanent`, deletes it for good. */
  readonly delete = this.operation('delete', `${COLLECTIONS}/{id}`);
  /** Copies the item with all below it: behind it, or where `parent`, `index` and `workspace_slug` say. */
  readonly duplicate = this.operationWithBody('post', `${COLLECTIONS}/{id}/duplicate`);
  /** Moves the item with all below it to another workspace of the team. */
  readonly transfer = this.operationWithBody('post', `${COLLECTIONS}/{id}/transfer`);

  protected readonly createItem = this.operationWithBody('post', COLLECTIONS);
  readonly #reorder = this.operationWithBody('post', `${COLLECTIONS}/reorder`);

  /**
   * Moves the item to a position among its siblings, or with `newParent` to another collection (`null`:
   * the top level). The ETag of the item changes, so a record of before is out of date.
   */
  move(
    item: ItemRef,
    to: Omit<ReorderItemRequest, 'id'>,
    options?: Options<'post', '/collections/reorder'>,
  ): Promise<Message> {
    return this.#reorder({ ...to, id: idOf(item) }, { ifMatch: etagOf(item), ...options });
  }
}

type CreateOptions = Options<'post', '/collections'>;

export class PagesResource extends ItemsResource {
  /** Changes parts of the content by a JSON Patch. */
  readonly patch = this.operationWithBody('patch', `${COLLECTIONS}/{id}/content`);

  /** At the end of `parent`, or at `index` among its children. */
  create(
    body: Omit<CreateCollectionRequest, 'object'>,
    options?: CreateOptions,
  ): Promise<Collection> {
    return this.createItem({ ...body, object: 'item' }, options);
  }
}

export class CollectionsResource extends ItemsResource {
  /** At the end of `parent`, or at `index` among its children. */
  create(
    body: Omit<CreateCollectionRequest, 'object' | 'content'>,
    options?: CreateOptions,
  ): Promise<Collection> {
    return this.createItem({ ...body, object: 'collection' }, options);
  }
}

export class TrashResource extends Resource<InWorkspace> {
  readonly list = this.listOperation(`${COLLECTIONS}/trash`);
  readonly purge = this.operation('delete', `${COLLECTIONS}/trash/{id}`);
  readonly empty = this.operation('delete', `${COLLECTIONS}/trash`);
  readonly #restore = this.operationWithBody('post', `${COLLECTIONS}/trash/{id}/restore`);

  /** Restores an item with all below it: where it was, or in `parent`, at `index`. */
  restore(
    item: ItemRef,
    to: RestoreRequest = {},
    options?: Options<'post', '/collections/trash/{id}/restore'>,
  ): Promise<Collection> {
    return this.#restore(item, to, options);
  }
}
