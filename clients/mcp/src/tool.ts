import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import {
  ConflictError,
  NoResponseError,
  type TeamspacesClient,
  TeamspacesError,
} from 'teamspaces-client';
import { z } from 'zod';
import { objectOf } from './arguments.js';
import { CallError, InterruptedError } from './errors.js';
import type { Items } from './items.js';
import type { Scope } from './scope.js';

/** What a tool works with. */
export interface ToolContext {
  /** Calls the service with the caller's token. */
  client: TeamspacesClient;
  /** What the model has seen so far. */
  items: Items;
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
  /** How to read what is too large for one result: a sentence that follows a semicolon. */
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
    inputSchema: shown(objectOf(input), 'input'),
    outputSchema: shown(result, 'output'),
    annotations: { openWorldHint: false, ...annotations },
  };
  return {
    ...{ name, scope },
    addTo: (server, context) => {
      server.registerTool(name, about, (given) =>
        run(given as z.output<z.ZodObject<Input>>, context).then(
          (found) => resultOf(result.parse(found)),
          (error) => {
            const problem = problemOf(error, annotations.readOnlyHint === true, instead);
            if (problem === null) context.onDefect(error);
            return failureOf(problem ?? DEFECT);
          },
        ),
      );
    },
  };
}

/** A schema whose JSON is made once: over HTTP, each request has a server of its own. */
function shown(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io });
  const inJson = () => json as Record<string, unknown>;
  return {
    '~standard': {
      ...{ version: 1, vendor: 'teamspaces' },
      // What a tool returns has just been made by its schema.
      validate: io === 'input' ? schema['~standard'].validate : (value) => ({ value }),
      jsonSchema: { input: inJson, output: inJson },
    },
  };
}

/** Clients without structured content read the text. */
const resultOf = (structuredContent: Record<string, unknown>): CallToolResult => ({
  structuredContent,
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
});

const failureOf = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
});

const DEFECT = 'The tool failed, which is a defect of this server.';

/** A problem with a call, for the model: null if the error is a defect. */
function problemOf(error: unknown, isRead: boolean, instead?: string): string | null {
  if (error instanceof CallError) return error.message;
  if (error instanceof NoResponseError) {
    const { cause } = error;
    return cause instanceof InterruptedError ? cause.sentence(isRead, instead) : error.message;
  }
  if (!(error instanceof TeamspacesError)) return null;
  const hint = error instanceof ConflictError ? '. If the item has changed, read it again.' : '';
  return `${error.code ?? `status ${error.status}`}: ${error.message}${hint}`;
}
