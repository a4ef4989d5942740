import { type ChangesOptions, changesOf } from './changes.js';
import type { List } from './lists.js';
import { etagOf, type ItemRef, idOf, passEtag } from './records.js';
import { type Options, Resource } from './resource.js';
import type {
  Change,
  Collection,
  CreateCollectionRequest,
  FoundCollection,
  Message,
  PageVersion,
  PageVersionWithContent,
  ReorderItemRequest,
  RestoreRequest,
} from './schema.js';

const WORKSPACE = '/teams/{team_slug}/workspaces/{workspace_slug}';
const COLLECTIONS = `${WORKSPACE}/collections` as const;

const VERSIONS = `${COLLECTIONS}/{id}/versions` as const;

type InWorkspace = 'team_slug' | 'workspace_slug';

export class WorkspaceResource extends Resource<InWorkspace> {
  readonly members = new WorkspaceMembersResource(this.transport, this.known);
  /** The ordered tree of collections and pages. */
  readonly tree = new TreeResource(this.transport, this.known);
  readonly pages = new PagesResource(this.transport, this.known);
  readonly collections = new CollectionsResource(this.transport, this.known);
  /** The deleted collections and pages. */
  readonly trash = new TrashResource(this.transport, this.known);
  /**
   * Makes what lies below `parent` equal to a manifest: items are known by their keys. What is equal is left alone;
   * sending the same manifest again changes nothing.
   */
  readonly apply = this.operationWithBody('put', `${COLLECTIONS}/apply`);
  readonly #search = this.operation('get', `${COLLECTIONS}/search`);

  /**
   * Collections and pages by their titles: each word of `q` occurs in the title; the best matches first. With `in: 'all'`,
   * pages follow that have every word of `q` in their text, each with a `snippet`.
   */
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
  readonly #getByKey = this.operation('get', `${COLLECTIONS}/by-key`);
  readonly update = this.operationWithBody('put', `${COLLECTIONS}/{id}`);
  /** Moves the item, with all below it, to the trash; with `permanent`, deletes it for good. */
  readonly delete = this.operation('delete', `${COLLECTIONS}/{id}`);
  /** Copies the item with all below it: behind it, or where `parent`, `index` and `workspace_slug` say. */
  readonly duplicate = this.operationWithBody('post', `${COLLECTIONS}/{id}/duplicate`);
  /** Moves the item with all below it to another workspace of the team. */
  readonly transfer = this.operationWithBody('post', `${COLLECTIONS}/{id}/transfer`);

  protected readonly createItem = this.operationWithBody('post', COLLECTIONS);
  readonly #reorder = this.operationWithBody('post', `${COLLECTIONS}/reorder`);

  /** The item that has a key: what your program calls it. */
  getByKey(
    key: string,
    options?: Omit<Options<'get', '/collections/by-key'>, 'key'>,
  ): Promise<Collection> {
    return this.#getByKey({ ...options, key });
  }

  /**
   * Moves the item to a position among its siblings, or with `newParent` to another collection (`null`:
   * the top level). The ETag of the item changes: the record that you give remembers the new one.
   */
  async move(
    item: ItemRef,
    to: Omit<ReorderItemRequest, 'id'>,
    options?: Options<'post', '/collections/reorder'>,
  ): Promise<Message> {
    const known = etagOf(item);
    const moved = await this.#reorder({ ...to, id: idOf(item) }, { ifMatch: known, ...options });
    if (known !== undefined) passEtag(moved, item);
    return moved;
  }
}

type CreateOptions = Options<'post', '/collections'>;

export class PagesResource extends ItemsResource {
  /** Changes parts of the content by a JSON Patch. */
  readonly patch = this.operationWithBody('patch', `${COLLECTIONS}/{id}/content`);
  /** Deletes the versions of a page for good; the page stays as it is. */
  readonly purgeVersions = this.operation('delete', VERSIONS);

  readonly #versions = versionCalls(
    (page) => new VersionsResource(this.transport, { ...this.known, id: idOf(page) }),
  );
  /** What a page was before writes of its content, newest first, without content. */
  readonly versions = this.#versions.list;
  /** A version with its content. */
  readonly version = this.#versions.get;
  /** Gives the page the content of a version; what was there becomes a version. */
  readonly restore = this.#versions.restore;

  /** At the end of `parent`, or at `index` among its children. */
  create(
    body: Omit<CreateCollectionRequest, 'object'>,
    options?: CreateOptions,
  ): Promise<Collection> {
    return this.createItem({ ...body, object: 'item' }, options);
  }
}

/** The calls for the versions of any page. */
function versionCalls(of: (page: ItemRef) => VersionsResource | VersionsOfAnyResource) {
  return {
    list: (
      page: ItemRef,
      options?: Options<'get', '/collections/{id}/versions'>,
    ): List<PageVersion> => of(page).list(options),
    get: (
      page: ItemRef,
      version: number,
      options?: Options<'get', '/collections/{id}/versions/{version}'>,
    ): Promise<PageVersionWithContent> => of(page).get(String(version), options),
    restore: (
      page: ItemRef,
      version: number,
      options?: Options<'post', '/collections/{id}/versions/{version}/restore'>,
    ): Promise<Collection> =>
      of(page).restore(String(version), { ifMatch: etagOf(page), ...options }),
  };
}

class VersionsResource extends Resource<InWorkspace | 'id'> {
  readonly list = this.listOperation(VERSIONS);
  readonly get = this.operation('get', `${VERSIONS}/{version}`);
  readonly restore = this.operation('post', `${VERSIONS}/{version}/restore`);
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

/** The operations that need nothing but the id of a collection or page. */
export class AnyItemResource extends Resource {
  readonly get = this.operation('get', '/collections/{id}');
  readonly update = this.operationWithBody('put', '/collections/{id}');
  /** Changes parts of the content of a page by a JSON Patch. */
  readonly patch = this.operationWithBody('patch', '/collections/{id}/content');
  /** Moves the item, with all below it, to the trash; with `permanent`, deletes it for good. */
  readonly delete = this.operation('delete', '/collections/{id}');
  /** Copies the item with all below it: behind it, or where `parent`, `index` and `workspace_slug` say. */
  readonly duplicate = this.operationWithBody('post', '/collections/{id}/duplicate');
  /** Moves the item with all below it to another workspace of the team. */
  readonly transfer = this.operationWithBody('post', '/collections/{id}/transfer');
  /** Deletes a deleted item, with all below it, for good. */
  readonly purgeFromTrash = this.operation('delete', '/collections/trash/{id}');
  readonly #restoreFromTrash = this.operationWithBody('post', '/collections/trash/{id}/restore');

  /** Restores a deleted item with all below it: where it was, or in `parent`, at `index`. */
  restoreFromTrash(
    item: ItemRef,
    to: RestoreRequest = {},
    options?: Options<'post', '/collections/trash/{id}/restore'>,
  ): Promise<Collection> {
    return this.#restoreFromTrash(item, to, options);
  }

  readonly #versions = versionCalls(
    (page) => new VersionsOfAnyResource(this.transport, { id: idOf(page) }),
  );
  /** What a page was before writes of its content, newest first, without content. */
  readonly versions = this.#versions.list;
  /** A version with its content. */
  readonly version = this.#versions.get;
  /** Gives the page the content of a version; what was there becomes a version. */
  readonly restoreVersion = this.#versions.restore;
}

class VersionsOfAnyResource extends Resource<'id'> {
  readonly list = this.listOperation('/collections/{id}/versions');
  readonly get = this.operation('get', '/collections/{id}/versions/{version}');
  readonly restore = this.operation('post', '/collections/{id}/versions/{version}/restore');
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
