import type { ErrorResponse, paths } from './schema.js';

// The types of openapi-fetch are not used: checking its declarations takes longer than the rest.

/** A method of HTTP, as the document writes it. */
export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that take this method. */
export type PathOf<Method extends HttpMethod> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

/** What the document says about one operation. */
export type OperationAt<
  Method extends HttpMethod,
  Path extends keyof paths,
  Paths extends Record<keyof paths, object> = paths,
> = Paths[Path][Method & keyof Paths[Path]];

/** An operation that names its workspace in the query, if the client knows the team. */
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

/** The names of the properties that are required. */
type RequiredKeys<Type> = {
  [Key in keyof Type]-?: undefined extends Type[Key] ? never : Key;
}[keyof Type];

/** The parameters of an operation, without the kinds that it has none of. */
type ParametersOf<Operation> = Operation extends { parameters: infer Parameters }
  ? {
      [Kind in keyof Parameters as [Parameters[Kind]] extends [undefined]
        ? never
        : Kind]: Parameters[Kind];
    }
  : never;

type ParamsPart<Operation> =
  RequiredKeys<ParametersOf<Operation>> extends never
    ? { params?: ParametersOf<Operation> }
    : { params: ParametersOf<Operation> };

type BodyPart<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? { body: Body }
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : { body?: never };

/** What a call takes beside its path: `params`, `body`, and what fetch takes, such as `signal`. */
export type InitOf<
  Method extends HttpMethod,
  Path extends PathOf<Method>,
  Paths extends Record<keyof paths, object> = paths,
> = ParamsPart<OperationAt<Method, Path, Paths>> &
  BodyPart<OperationAt<Method, Path, Paths>> &
  Omit<RequestInit, 'body' | 'method'>;

/** It may be left out if nothing in it is required. */
export type InitParam<Init> = RequiredKeys<Init> extends never ? [init?: Init] : [init: Init];

/** The body of a success. */
export type DataOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Data } } };
}
  ? Data
  : never;

/** One method of HTTP: returns the body of a success, otherwise throws a TeamspacesError. */
export type Call<Method extends HttpMethod, Paths extends Record<keyof paths, object> = paths> = <
  Path extends PathOf<Method>,
>(
  path: Path,
  ...init: InitParam<InitOf<Method, Path, Paths>>
) => Promise<DataOf<OperationAt<Method, Path>>>;

/** The response to a raw call: `data` of a success, or `error`. */
export type RawResponse<Data> =
  | { data: Data; error?: never; response: Response }
  | { data?: never; error: ErrorResponse; response: Response };

/** How `data` is read: as JSON, or with `text` as it is. */
interface Parsing {
  parseAs?: 'json' | 'text';
}

/** One method of HTTP: returns the response, whatever its status. */
export type RawCall<
  Method extends HttpMethod,
  Paths extends Record<keyof paths, object> = paths,
> = <Path extends PathOf<Method>, As extends Parsing = Parsing>(
  path: Path,
  ...init: InitParam<InitOf<Method, Path, Paths> & As>
) => Promise<
  RawResponse<As extends { parseAs: 'text' } ? string : DataOf<OperationAt<Method, Path>>>
>;

type ElementOf<Data> = Data extends readonly (infer Element)[]
  ? Element
  : Data extends { users: readonly (infer Element)[] }
    ? Element
    : never;

/** The paths that return a list. */
export type ListPath = {
  [Path in PathOf<'get'>]: [ElementAt<Path>] extends [never] ? never : Path;
}[PathOf<'get'>];

/** An element of the list at a path. */
export type ElementAt<Path extends PathOf<'get'>> = ElementOf<DataOf<OperationAt<'get', Path>>>;

/** The query that names a workspace. */
export type WorkspaceOf<Paths> = Paths extends {
  '/collections/changes': { get: { parameters: { query: infer Query } } };
}
  ? Pick<Query, Extract<keyof Query, 'team_slug' | 'workspace_slug'>>
  : never;
