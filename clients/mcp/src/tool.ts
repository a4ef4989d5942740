import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { ConflictError, NoResponseError, TeamspacesError } from 'teamspaces-client';
import { z } from 'zod';

/** A part of a request's path, which `.` and `..` would lead elsewhere. */
export const segment = (description: string) =>
  z
    .string()
    .min(1)
    .refine((text) => text !== '.' && text !== '..', { error: 'must not be "." or ".."' })
    .describe(description);

/** The parameters that name a workspace. */
export const IN_WORKSPACE = {
  team: segment('Slug of the team.'),
  workspace: segment('Slug of the workspace.'),
};

export const ID = segment('Id of the item.');
export const INDEX = z
  .number()
  .int()
  .min(0)
  .describe('Zero-based position among the siblings; past the end means the end.');
export const CONTENT = z
  .record(z.string(), z.unknown())
  .describe('Content of a page: a JSON object.');

interface Tool<Shape extends z.ZodRawShape> {
  title: string;
  description: string;
  input: Shape;
  annotations: ToolAnnotations;
  run(input: z.output<z.ZodObject<Shape>>): Promise<unknown>;
}

/** Adds a tool whose result is JSON. An error of the service is a result that the model reads. */
export function addTool<Shape extends z.ZodRawShape>(
  server: McpServer,
  name: string,
  { title, description, input, annotations, run }: Tool<Shape>,
): void {
  const inputSchema: z.ZodObject = z.object(input);
  const hints = { openWorldHint: false, ...annotations };
  server.registerTool(name, { title, description, inputSchema, annotations: hints }, (args) =>
    run(args as z.output<z.ZodObject<Shape>>).then(resultOf, failureOf),
  );
}

const resultOf = (result: unknown): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
});

/** @throws error what is not an error of the service, nor of the connection to it */
function failureOf(error: unknown): CallToolResult {
  if (!(error instanceof TeamspacesError || error instanceof NoResponseError)) throw error;
  const code = error instanceof TeamspacesError ? (error.code ?? `status ${error.status}`) : null;
  const hint = error instanceof ConflictError ? '. If the item has changed, read it again.' : '';
  const text = `${code === null ? '' : `${code}: `}${error.message}${hint}`;
  return { isError: true, content: [{ type: 'text', text }] };
}
