import { OPERATIONS, type OperationMetadata } from './operation.js';
import { errorResponses, type HeaderName, headers } from './responses.js';

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  example?: unknown;
  schema?: Record<string, unknown>;
  $ref?: string;
}

interface Content {
  content?: Record<string, Record<string, unknown>>;
}

/** The part of an operation that is described here. */
export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  security?: Record<string, string[]>[];
  responses: Record<string, Content & { description?: string; headers?: object }>;
}

/** Where the collection operations have their long form: the same operation at a second path. */
const LONG_FORM = '/teams/{team_slug}/workspaces/{workspace_slug}/collections';
/** The tag of the long forms: beside their short forms, readers would see every operation twice. */
export const LONG_FORM_TAG = 'collections by path';
const SLUGS = {
  team_slug: { description: 'Slug of the team.', example: 'acme' },
  workspace_slug: { description: 'Slug of the workspace.', example: 'handbook' },
};

/** Adds the parts that all operations share, and the metadata of `@Operation()` at its handler. */
export function describeOperation(
  method: string,
  path: string,
  operation: Operation,
  publicUrl: string,
): void {
  // Nest numbers the methods of a controller with two paths.
  const id = operation.operationId?.replace(/\[\d+\]$/, '') ?? '';
  const isLong = path.startsWith(LONG_FORM);
  operation.operationId = isLong ? `${id}InWorkspace` : id;
  if (isLong) describeLongForm(method, path, operation);
  operation.security = [{ token: [] }];
  const metadata = OPERATIONS.get(id);
  if (!metadata) throw new Error(`${id} is not described: give its handler an @Operation()`);
  operation.parameters = parametersOf(method, path, operation.parameters ?? [], metadata);
  if (isLong) operation.parameters = withSlugsInPath(operation.parameters);
  describeBody(operation.requestBody, metadata);
  describeSuccess(method, operation, metadata);
  Object.assign(operation.responses, errorResponses(id, takesKey(method), publicUrl));
}

/** Names the short form of a long one. Its summary says so too: lists of operations show only summaries. */
function describeLongForm(method: string, path: string, operation: Operation): void {
  const short = `${method.toUpperCase()} ${path.replace(LONG_FORM, '/collections')}`;
  operation.tags = [LONG_FORM_TAG];
  operation.summary = `${operation.summary} (workspace in the path)`;
  operation.description = `The long form of \`${short}\`.\n\n${operation.description}`;
}

/** The methods that are not safe to repeat take an Idempotency-Key. */
const takesKey = (method: string): boolean => method === 'post' || method === 'patch';

function parametersOf(
  method: string,
  path: string,
  given: Parameter[],
  { bare }: OperationMetadata,
): Parameter[] {
  const onItem = path.includes('{id}');
  const isAhead = ({ in: where, name }: Parameter) => where === 'path' || (name && name in SLUGS);
  // The slugs come before the other parameters.
  const inOrder = [...given.filter(isAhead), ...given.filter((parameter) => !isAhead(parameter))];
  const parameters = inOrder.map((parameter) => {
    // Prefilled requests must work: no filters, no workspace beside the id of somebody's item, and
    // nothing that a careless click would destroy.
    const isSlug = parameter.name !== undefined && parameter.name in SLUGS;
    const keep = parameter.in === 'path' ? !bare : isSlug && !onItem;
    // An item is found by its id alone; nothing else is without a workspace. (The hidden teamId takes
    // the place of team_slug.)
    const described = isSlug && !onItem ? { ...parameter, required: true } : parameter;
    return typed(keep ? described : withoutExample(described));
  });
  if (!takesKey(method) || parameters.some(({ name }) => name === 'Idempotency-Key')) {
    return parameters;
  }
  return [...parameters, { $ref: '#/components/parameters/IdempotencyKey' }];
}

/** Path parameters are strings, even if a decorator does not say so. */
const typed = (parameter: Parameter): Parameter =>
  parameter.in === 'path'
    ? { ...parameter, schema: { type: 'string', ...parameter.schema } }
    : parameter;

function withoutExample({ example: _own, schema, ...parameter }: Parameter): Parameter {
  const { example: _schemas, ...rest } = schema ?? {};
  return { ...parameter, ...(schema && { schema: rest }) };
}

/**
 * The two forms share their methods: in the long form the workspace is in the path, not in the
 * query.
 */
function withSlugsInPath(parameters: Parameter[]): Parameter[] {
  const inPath = Object.entries(SLUGS).map(([name, described]) => ({
    name,
    in: 'path',
    required: true,
    ...described,
    schema: { type: 'string' },
  }));
  return [...inPath, ...parameters.filter(({ name }) => !(name && name in SLUGS))];
}

const NOT_MODIFIED = {
  description: 'If-None-Match is current: no body.',
  headers: headers('ETag'),
};

function describeBody(body: Content | undefined, { bodies }: OperationMetadata): void {
  if (!bodies) return;
  for (const content of Object.values(body?.content ?? {})) content.examples = bodies;
}

function describeSuccess(
  method: string,
  { responses, parameters = [] }: Operation,
  { example, headers: own = [] }: OperationMetadata,
): void {
  const success = responses['200'];
  if (!success) return;
  const names: HeaderName[] = [...own];
  if (takesKey(method)) names.push('Idempotent-Replayed');
  success.headers = headers(...names);
  if (parameters.some(({ name }) => name === 'If-None-Match')) responses['304'] = NOT_MODIFIED;
  const json = success.content?.['application/json'];
  if (json && example !== undefined) json.example = example;
}
