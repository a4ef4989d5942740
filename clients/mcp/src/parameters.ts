import { z } from 'zod';
import { ANY_OBJECT } from './arguments.js';

/** A text that a request can carry: a program may have cut one within a character. */
export const text = () =>
  z.string().refine((given) => given.isWellFormed(), { error: 'must be well-formed Unicode' });

/** A part of a request's path, which `.` and `..` would lead elsewhere. */
export const segment = (description: string) =>
  text()
    .min(1)
    .refine((given) => given !== '.' && given !== '..', { error: 'must not be "." or ".."' })
    .describe(description);

/** The parameters that name a workspace. */
export const IN_WORKSPACE = {
  team: segment('Slug of the team.'),
  workspace: segment('Slug of the workspace.'),
};

/** The parameters that name an item of any workspace. */
export const ITEM = {
  id: segment('Id of the item. Its title works, too, if no other item has it.'),
  team: IN_WORKSPACE.team
    .exactOptional()
    .describe('Slug of the team, only to find a title: absent, all teams of the user.'),
  workspace: IN_WORKSPACE.workspace
    .exactOptional()
    .describe('Slug of the workspace, only to find a title; requires "team".'),
};

export const ETAG = z
  .string()
  .regex(/^[\x21-\x7e]{1,300}$/, { error: 'must be an etag as a result has it' })
  .exactOptional()
  .describe(
    '"etag" of the item as you have read it: the call fails with conflict if somebody has changed the item since. Pass it if you have it.',
  );
export const VERSION = z.number().int().min(1).describe('"version" of list_versions.');
export const INDEX = z
  .number()
  .int()
  .min(0)
  .describe('Zero-based position among the siblings; past the end means the end.');
export const CONTENT = ANY_OBJECT.describe('Content of a page: a JSON object of at most 1 MiB.');
export const PARENT = z
  // Clients that know no list of types know this.
  .union([text(), z.null()])
  .describe('Id or title of a collection; null: the top level.');
