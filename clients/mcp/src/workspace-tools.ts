import type { Workspace } from 'teamspaces-client';
import { z } from 'zod';
import { IN_WORKSPACE } from './parameters.js';
import { type Tool, tool } from './tool.js';

/** A workspace. */
export const WORKSPACE = {
  ...{ name: z.string(), slug: z.string(), description: z.string() },
  archivedAt: z
    .string()
    .nullable()
    .describe('Since when its content is read-only; null: it is not.'),
};

/** A workspace, for a model. */
export const workspaceOf = ({ name, meta, description, archivedAt }: Workspace) => ({
  ...{ name, slug: meta.slug, description, archivedAt },
});

/** The tools that change workspaces. */
export const WORKSPACE_TOOLS: readonly Tool[] = [
  tool('archive_workspace', {
    scope: 'manage',
    title: 'Archive a workspace',
    description:
      'Makes the content of a workspace read-only for everyone, until unarchive_workspace. Nothing is deleted. Ask the user first.',
    input: IN_WORKSPACE,
    output: WORKSPACE,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ team, workspace }, { client }) =>
      workspaceOf(await client.team(team).workspaces.archive(workspace)),
  }),

  tool('unarchive_workspace', {
    scope: 'manage',
    title: 'Unarchive a workspace',
    description: 'Ends the archiving of a workspace: its content can be changed again.',
    input: IN_WORKSPACE,
    output: WORKSPACE,
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ team, workspace }, { client }) =>
      workspaceOf(await client.team(team).workspaces.unarchive(workspace)),
  }),
];
