import { List } from './lists.js';
import {
  etagOf,
  type ItemRef,
  idOf,
  type RecordRef,
  remember,
  type SlugRef,
  slugOf,
} from './records.js';
import type { DataOf, ElementAt, HttpMethod, ListPath, OperationAt, PathOf } from './types.js';

/** What a request takes. */
export interface Init {
  params?: {
    path?: Record<string, string>;
    query?: Record<string, unknown> | undefined;
    header?: Record<string, string>;
  };
  body?: unknown;
  signal?: AbortSignal;
}

/** How resources reach the service. */
export interface Transport {
  /** @throws TeamspacesError the response is not a success; NoResponseError there was none */
  request(
    method: string,
    path: string,
    init?: Init,
  ): Promise<{ data?: unknown; response: Response }>;
  list(path: string, init?: Init): AsyncGenerator<unknown, void, undefined>;
}

type Kind<Operation, Name extends string> = Operation extends { parameters: infer Parameters }
  ? NonNullable<Parameters[Name & keyof Parameters]>
  : never;

type KeysOf<Type> = [Type] extends [never] ? never : keyof Type;

/** What the resource does not know yet: an id or a slug. */
type Target<Operation, Bound> =
  Exclude<KeysOf<Kind<Operation, 'path'>>, Bound> extends infer Name
    ? [Name] extends [never]
      ? []
      : [Name] extends ['id']
        ? [item: ItemRef]
        : [Name] extends ['invite_id' | 'workspace_id' | 'webhook_id']
          ? [record: RecordRef]
          : [slug: SlugRef]
    : never;

type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? [body: Body]
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? [body?: Body]
    : never;

type OptionsOf<Operation> = ([Kind<Operation, 'query'>] extends [never]
  ? unknown
  : Omit<Kind<Operation, 'query'>, 'team_slug' | 'workspace_slug' | 'cursor'>) &
  ('If-Match' extends KeysOf<Kind<Operation, 'header'>>
    ? {
        /** ETag that the item must still have; null: change it, whatever has happened to it. */
        ifMatch?: string | null | undefined;
      }
    : unknown) &
  ('Idempotency-Key' extends KeysOf<Kind<Operation, 'header'>>
    ? {
        /** Your own key; by default the client generates one for each call. */
        idempotencyKey?: string;
      }
    : unknown) & { signal?: AbortSignal };

/** The options of a call: its query parameters, the ETag, the key, and a signal that aborts it. */
export type Options<Method extends HttpMethod, Path extends PathOf<Method>> = OptionsOf<
  OperationAt<Method, Path>
>;

/** A call without a body. */
export type CallOf<Method extends HttpMethod, Path extends PathOf<Method>, Bound = never> = (
  ...args: [...Target<OperationAt<Method, Path>, Bound>, options?: Options<Method, Path>]
) => Promise<DataOf<OperationAt<Method, Path>>>;

/** A call with a body. */
export type SendOf<Method extends HttpMethod, Path extends PathOf<Method>, Bound = never> = (
  ...args: [
    ...Target<OperationAt<Method, Path>, Bound>,
    ...BodyOf<OperationAt<Method, Path>>,
    options?: Options<Method, Path>,
  ]
) => Promise<DataOf<OperationAt<Method, Path>>>;

/** A list. */
export type ListOf<Path extends ListPath> = (
  options?: Options<'get', Path>,
) => List<ElementAt<Path>>;

/**
 * A group of operations: each method is one line that names the operation's route. The arguments are
 * the path parameters that the group does not know, the body, and options.
 */
export abstract class Resource<Bound extends string = never> {
  /** @param known the path parameters that all operations share */
  constructor(
    protected readonly transport: Transport,
    protected readonly known: Record<Bound, string>,
  ) {}

  /** An operation without a body. */
  protected operation<Method extends HttpMethod, Path extends PathOf<Method>>(
    method: Method,
    path: Path,
  ): CallOf<Method, Path, Bound> {
    return (...args: unknown[]) => this.#run(method, path, args, false) as never;
  }

  /** An operation with a body. */
  protected operationWithBody<Method extends HttpMethod, Path extends PathOf<Method>>(
    method: Method,
    path: Path,
  ): SendOf<Method, Path, Bound> {
    return (...args: unknown[]) => this.#run(method, path, args, true) as never;
  }

  /** An operation that returns a list. */
  protected listOperation<Path extends ListPath>(path: Path): ListOf<Path> {
    return (options) => {
      const { signal, ...query } = (options ?? {}) as Settings;
      const init = { params: { path: this.known, query }, ...(signal && { signal }) };
      return new List(() => this.transport.list(path, init)) as List<never>;
    };
  }

  async #run(method: string, path: string, args: unknown[], hasBody: boolean): Promise<unknown> {
    const [name] = namesIn(path).filter((name) => !(name in this.known));
    const target = name === undefined ? undefined : args.shift();
    const body = hasBody ? args.shift() : undefined;
    const settings = (args.shift() ?? {}) as Settings;
    const { ifMatch = etagOf(target), idempotencyKey, signal, ...query } = settings;
    const header: Record<string, string> = {};
    if (ifMatch && method !== 'get') header['If-Match'] = ifMatch;
    if (idempotencyKey !== undefined) header['Idempotency-Key'] = idempotencyKey;
    const parameters: Record<string, string> = { ...this.known };
    if (name?.endsWith('slug')) parameters[name] = slugOf(target as SlugRef);
    else if (name !== undefined) parameters[name] = idOf(target as ItemRef);
    const { data, response } = await this.transport.request(method.toUpperCase(), path, {
      params: { path: parameters, query, header },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return remember(data, response);
  }
}

interface Settings {
  ifMatch?: string | null;
  idempotencyKey?: string;
  signal?: AbortSignal;
  [query: string]: unknown;
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}`);
