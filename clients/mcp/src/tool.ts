import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { TeamspacesClient } from 'teamspaces-client';
import { z } from 'zod';
import { objectOf } from './arguments.js';
import { problemOf } from './errors.js';
import type { Items } from './items.js';
import type { Scope } from './scope.js';

/** What a tool works with. */
export interface ToolContext {
  /** Calls the service with the caller's token. */
  client: TeamspacesClient;
  /** What the model has seen so far. */
  items: Items;
  /** Waits for a turn: others have theirs before. */
  turn(): Promise<void>;
  /** Told of an error that is neither the caller's nor the service's. */
  onDefect(error: unknown): void;
}

/** A tool, as every server offers it. */
export interface Tool {
  name: string;
  /** The lowest scope of a token with which a call can succeed. */
  scope: Scope;
  /** Adds the tool to the server of a caller. */
  addTo(server: McpServer, context: ToolContext): void;
}

interface Definition<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  scope: Scope;
  title: string;
  description: string;
  input: Input;
  /** The members of the result; members of records that it does not name are left out. */
  output: Output;
  annotations: ToolAnnotations;
  /** How to read what is too large for one result: a sentence that follows a colon. */
  instead?: string;
  run(
    input: z.output<z.ZodObject<Input>>,
    context: ToolContext,
  ): Promise<z.input<z.ZodObject<Output>>>;
}

/** Defines a tool whose result is an object. An error of the service is a result that the model reads. */
export function tool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  name: string,
  {
    scope,
    title,
    description,
    input,
    output,
    annotations,
    instead,
    run,
  }: Definition<Input, Output>,
): Tool {
  const result: z.ZodObject = z.object(output);
  const about = {
    ...{ title, description },
    inputSchema: toStandardSchema(objectOf(input), 'input'),
    outputSchema: toStandardSchema(result, 'output'),
    annotations: { openWorldHint: false, ...annotations },
  };
  return {
    ...{ name, scope },
    addTo: (server, context) => {
      server.registerTool(name, about, async (given) => {
        try {
          const found = await run(given as z.output<z.ZodObject<Input>>, context);
          return await resultOf(result, found, context);
        } catch (error) {
          const problem = problemOf(error, instead);
          if (problem === null) context.onDefect(error);
          return failureOf(problem ?? DEFECT);
        }
      });
    },
  };
}

/** A schema whose JSON is made once: over HTTP, each request has a server of its own. */
function toStandardSchema(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const inJson = () => json as Record<string, unknown>;
  return {
    '~standard': {
      ...{ version: 1, vendor: 'teamspaces' },
      // What a tool returns has just been made by its schema.
      validate: io === 'input' ? (value) => validate(schema, value) : (value) => ({ value }),
      jsonSchema: { input: inJson, output: inJson },
    },
  };
}

/** Problems with arguments that one result names, one for each argument: a model fixes them one after the other. */
const MAX_PROBLEMS = 5;

function validate(schema: z.ZodType, value: unknown) {
  const { success, data, error } = schema.safeParse(value);
  if (success) return { value: data };
  const first = new Map(error.issues.toReversed().map((issue) => [issue.path.join('.'), issue]));
  return { issues: [...first.values()].toReversed().slice(0, MAX_PROBLEMS) };
}

/** Characters of a result from which on others have a turn before it is sent. */
const LONG = 64 * 1024;

/** Clients without structured content read the text. */
async function resultOf(
  schema: z.ZodObject,
  found: object,
  { turn }: ToolContext,
): Promise<CallToolResult> {
  // To read, to write and to send a result take a turn each, if it is long.
  await turn();
  const structuredContent = schema.parse(found);
  const text = JSON.stringify(structuredContent);
  if (text.length > LONG) await turn();
  return { structuredContent, content: [{ type: 'text', text }] };
}

const failureOf = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
});

const DEFECT = 'The tool failed, which is a defect of this server.';
