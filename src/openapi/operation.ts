import { OF_KEYS } from './messages.js';
import type { OperationNotes } from './operation-notes.js';
import { COLLECTION_OPERATIONS } from './operations-collections.js';
import { PEOPLE_OPERATIONS } from './operations-people.js';
import { TEAM_OPERATIONS } from './operations-teams.js';
import { ALWAYS, errorResponses, type HeaderName, headers } from './responses.js';
import { ANSWERS, BODIES } from './story.js';

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

/** An operation of the document, as far as it is described here. */
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  security?: Record<string, string[]>[];
  responses: Record<string, Content & { description?: string; headers?: object }>;
}

/** By operation id; the long forms of the collection operations share those of the short ones. */
export const OPERATIONS: Record<string, OperationNotes> = {
  ...TEAM_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...COLLECTION_OPERATIONS,
};

/** Where the collection operations have their long form: the same operation at a second path. */
const LONG_FORM = '/teams/{team_slug}/workspaces/{workspace_slug}/collections';
const PLACE = {
  team_slug: { description: 'Slug of the team.', example: 'acme' },
  workspace_slug: { description: 'Slug of the workspace.', example: 'handbook' },
};

/** Adds to an operation what its controller leaves to the manual. */
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
  // Lists of operations show nothing but summaries.
  if (isLong) operation.summary = `${operation.summary} (workspace in the path)`;
  operation.security = [{ token: [] }];
  const notes: OperationNotes = OPERATIONS[id] ?? { takes: 'a token', answer: 'The answer.' };
  operation.description = [operation.description, `**Takes:** ${notes.takes}.`]
    .filter(Boolean)
    .join('\n\n');
  operation.parameters = parametersOf(method, path, operation.parameters ?? [], notes);
  if (isLong) operation.parameters = withPlaceInPath(operation.parameters);
  describeBody(operation.requestBody, id);
  describeAnswer(method, operation, id, notes);
  const errors = method === 'post' ? withKeys(notes.errors) : (notes.errors ?? {});
  Object.assign(operation.responses, errorResponses(errors, publicUrl));
}

/** The errors of an operation, and those of its Idempotency-Key. */
function withKeys(errors: NonNullable<OperationNotes['errors']> = {}): typeof errors {
  const { bad_request = [], conflict = [], unprocessable_entity = [] } = errors;
  return {
    ...errors,
    bad_request: [...bad_request, ...OF_KEYS.bad_request],
    conflict: [...conflict, ...OF_KEYS.conflict],
    unprocessable_entity: [...unprocessable_entity, ...OF_KEYS.unprocessable_entity],
  };
}

function parametersOf(
  method: string,
  path: string,
  given: Parameter[],
  { bare }: OperationNotes,
): Parameter[] {
  const onItem = path.includes('{id}');
  const isAhead = ({ in: where, name }: Parameter) => where === 'path' || (name && name in PLACE);
  // Where it happens comes before what is to happen there.
  const inOrder = [...given.filter(isAhead), ...given.filter((parameter) => !isAhead(parameter))];
  const parameters = inOrder.map((parameter) => {
    // What is prefilled must fit: no filters, no workspace beside the id of somebody's item, and
    // nothing that a careless click would destroy.
    const isPlace = parameter.name !== undefined && parameter.name in PLACE;
    const keep = parameter.in === 'path' ? !bare : isPlace && !onItem;
    // An item is found by its id alone; nothing else is without a workspace. (The hidden teamId takes
    // the place of team_slug.)
    const described = isPlace && !onItem ? { ...parameter, required: true } : parameter;
    return typed(keep ? described : withoutExample(described));
  });
  if (method !== 'post' || parameters.some(({ name }) => name === 'Idempotency-Key')) {
    return parameters;
  }
  return [...parameters, { $ref: '#/components/parameters/IdempotencyKey' }];
}

/** What a path holds is text, also where a decorator does not say so. */
const typed = (parameter: Parameter): Parameter =>
  parameter.in === 'path'
    ? { ...parameter, schema: { type: 'string', ...parameter.schema } }
    : parameter;

function withoutExample({ example: _own, schema, ...parameter }: Parameter): Parameter {
  const { example: _schemas, ...rest } = schema ?? {};
  return { ...parameter, ...(schema && { schema: rest }) };
}

/** The two forms share their methods: in the long one the place is in the path, not the query. */
function withPlaceInPath(parameters: Parameter[]): Parameter[] {
  const inPath = Object.entries(PLACE).map(([name, described]) => ({
    name,
    in: 'path',
    required: true,
    ...described,
    schema: { type: 'string' },
  }));
  return [...inPath, ...parameters.filter(({ name }) => !(name && name in PLACE))];
}

function describeBody(body: Content | undefined, id: string): void {
  const json = body?.content?.['application/json'];
  if (json && BODIES[id]) json.examples = BODIES[id];
}

function describeAnswer(
  method: string,
  { responses }: Operation,
  id: string,
  { answer, headers: own = [] }: OperationNotes,
): void {
  const success = responses['200'];
  if (!success) return;
  const names: HeaderName[] = [...own, ...ALWAYS];
  if (method === 'post') names.push('Idempotent-Replayed');
  success.description = answer;
  success.headers = headers(...names);
  const json = success.content?.['application/json'];
  if (json && ANSWERS[id] !== undefined) json.example = ANSWERS[id];
}
