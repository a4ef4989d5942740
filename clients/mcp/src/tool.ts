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
export const VERSION = z.number().int().min(1).describe('"version" of list_versions.');
export const INDEX = z
  .number()
  .int()
  .min(0)
  .describe('Zero-based position among the siblings; past the end means the end.');
export const CONTENT = z
  .record(z.string(), z.unknown())
  .describe('Content of a page: a JSON object.');

interface Tool<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  title: string;
  description: string;
  input: Input;
  /** The members of the result; members of records that it does not name are left out. */
  output: Output;
  annotations: ToolAnnotations;
  run(input: z.output<z.ZodObject<Input>>): Promise<z.input<z.ZodObject<Output>>>;
}

/** Adds a tool whose result is an object. An error of the service is a result that the model reads. */
export function addTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  server: McpServer,
  name: string,
  { title, description, input, output, annotations, run }: Tool<Input, Output>,
): void {
  const inputSchema: z.ZodObject = z.object(input);
  const outputSchema: z.ZodObject = z.object(output);
  const hints = { openWorldHint: false, ...annotations };
  const about = { title, description, inputSchema, outputSchema, annotations: hints };
  server.registerTool(name, about, (args) =>
    run(args as z.output<z.ZodObject<Input>>).then(
      (result) => resultOf(outputSchema.parse(result)),
      failureOf,
    ),
  );
}

/** Clients without structured content read the text. */
const resultOf = (structuredContent: Record<string, unknown>): CallToolResult => ({
  structuredContent,
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
});

/** @throws error what is not an error of the service, nor of the connection to it */
function failureOf(error: unknown): CallToolResult {
  if (!(error instanceof TeamspacesError || error instanceof NoResponseError)) throw error;
  const code = error instanceof TeamspacesError ? (error.code ?? `status ${error.status}`) : null;
  const hint = error instanceof ConflictError ? '. If the item has changed, read it again.' : '';
  const text = `${code === null ? '' : `${code}: `}${error.message}${hint}`;
  return { isError: true, content: [{ type: 'text', text }] };
}
