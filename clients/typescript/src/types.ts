import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { paths } from './schema.js';

/** The paths that take this method. */
export type PathOf<Method extends HttpMethod> = PathsWithMethod<paths, Method>;

/** An operation that names its workspace in the query, where the client knows the team. */
type OfKnownTeam<Operation> = Operation extends {
  parameters: { query: infer Query extends { team_slug: string } };
}
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'query'> & {
        query: Omit<Query, 'team_slug'> & { team_slug?: string };
      };
    }
  : Operation;

/** The paths of a client that has a default team: none of their operations needs a `team_slug`. */
export type PathsOfKnownTeam = {
  [Path in keyof paths]: {
    [Key in keyof paths[Path]]: OfKnownTeam<paths[Path][Key]>;
  };
};

/** What a call takes beside its path: `params`, `body`, and what fetch takes, such as `signal`. */
export type InitOf<
  Method extends HttpMethod,
  Path extends PathOf<Method>,
  Paths extends Record<keyof paths, object> = paths,
> = MaybeOptionalInit<Paths[Path], Method & keyof Paths[Path]>;

/** It may be left out where nothing in it is required. */
export type InitParam<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];

/** The body of a success. */
export type DataOf<Method extends HttpMethod, Path extends PathOf<Method>> = NonNullable<
  FetchResponse<OperationOf<Method, Path>, object, 'application/json'>['data']
>;

type OperationOf<Method extends HttpMethod, Path extends PathOf<Method>> = Extract<
  paths[Path][Method & keyof paths[Path]],
  Record<string, unknown>
>;

/** One method of HTTP: returns the body of a success, otherwise throws a TeamspacesError. */
export type Call<Method extends HttpMethod, Paths extends Record<keyof paths, object> = paths> = <
  Path extends PathOf<Method>,
>(
  path: Path,
  ...init: InitParam<InitOf<Method, Path, Paths>>
) => Promise<DataOf<Method, Path>>;

type ElementOf<Data> = Data extends readonly (infer Element)[]
  ? Element
  : Data extends { users: readonly (infer Element)[] }
    ? Element
    : never;

/** The paths that return a list. */
export type ListPath = {
  [Path in PathOf<'get'>]: [ElementOf<DataOf<'get', Path>>] extends [never] ? never : Path;
}[PathOf<'get'>];

/** An element of the list at a path. */
export type ElementAt<Path extends ListPath> = ElementOf<DataOf<'get', Path>>;

/** The query that names a workspace. */
export type WorkspaceOf<Paths> = Paths extends {
  '/collections/changes': { get: { parameters: { query: infer Query } } };
}
  ? Pick<Query, Extract<keyof Query, 'team_slug' | 'workspace_slug'>>
  : never;
