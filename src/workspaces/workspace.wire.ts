import type { FastifyReply } from 'fastify';
import { ACCESS_LEVELS, type AccessLevel, VISIBILITIES, type Visibility } from '../access/roles.js';
import { recordEtagOf } from '../http/etag.js';
import { MetaResponse, serializerOf, TimestampsResponse } from '../http/record.wire.js';
import { Property, Schema } from '../openapi/property.js';
import { Description, Name, OneOf, Slug } from '../validation/fields.js';
import { WORKSPACE } from './workspace.fields.js';
import { type ListedWorkspace, type Workspace, workspaceSettings } from './workspace.js';

const DEFAULT_ACCESS = 'What members without a role of their own may do with the content.';

@Schema('A new workspace.')
export class CreateWorkspaceRequest {
  @Name('Workspace name; its slug is made from it.') name!: string;

  @Description('What the workspace is about.', { optional: true, default: '' })
  description?: string;

  @OneOf(VISIBILITIES, 'A private workspace is visible only to its members.', {
    optional: true,
    default: 'public',
  })
  visibility?: Visibility;

  @OneOf(ACCESS_LEVELS, DEFAULT_ACCESS, { optional: true, default: 'full' })
  defaultAccess?: AccessLevel;
}

@Schema('Absent properties are left unchanged.')
export class UpdateWorkspaceRequest {
  @Name('Workspace name.', { optional: true }) name?: string;
  @Description('What the workspace is about.', { optional: true }) description?: string;
  @Slug('Address of the workspace, unique in the team.', { optional: true }) slug?: string;

  @OneOf(VISIBILITIES, 'The user who makes a workspace private becomes an editor of it.', {
    optional: true,
  })
  visibility?: Visibility;

  @OneOf(ACCESS_LEVELS, DEFAULT_ACCESS, { optional: true }) defaultAccess?: AccessLevel;
}

@Schema('A workspace, as the caller sees it.')
export class WorkspaceResponse extends TimestampsResponse {
  @Property('Unique id.') _id!: string;
  @Property('Workspace name.') name!: string;
  @Property('What the workspace is about.', { maxLength: 120, default: '' }) description!: string;

  @Property(DEFAULT_ACCESS, { enum: ACCESS_LEVELS, default: 'full' }) defaultAccess!: AccessLevel;

  @Property('Title, description and slug.') meta!: MetaResponse;

  @Property('Spelled with a capital V in responses, `visibility` in requests.', {
    enum: VISIBILITIES,
    default: 'public',
  })
  Visibility!: Visibility;

  @Property('Since when its content can only be read; null: it is not archived.', {
    format: 'date-time',
    nullable: true,
  })
  archivedAt!: string | null;

  @Property(
    "The caller's own access to the content. While the workspace is archived, `full` changes nothing.",
    { enum: ACCESS_LEVELS },
  )
  access!: AccessLevel;

  @Property('Changes with every change of the tree, an opaque text: compare it to skip a read.')
  version!: string;
}

const serialize = serializerOf(WORKSPACE);

/** A workspace as the caller reads it. */
export const serializeWorkspace = (workspace: Workspace): WorkspaceResponse =>
  serialize(workspace, { access: workspace.access });

/** Names a workspace's ETag in the response that shows it. @returns the workspace */
export function withWorkspaceEtag(reply: FastifyReply, workspace: Workspace): Workspace {
  const text = JSON.stringify(serializeWorkspace(workspace));
  reply.header('etag', recordEtagOf(workspaceSettings(workspace), text));
  return workspace;
}

/** Workspaces of a list as JSON text, each as serializeWorkspace() has it. */
export const listedWorkspacesJson = (workspaces: readonly ListedWorkspace[]): string =>
  workspaces.map(({ json, access }) => `${json},"access":"${access}"}`).join(',');
