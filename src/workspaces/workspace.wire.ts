import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ACCESS_LEVELS, type AccessLevel, VISIBILITIES, type Visibility } from '../access/roles.js';
import { recordEtagOf } from '../http/etag.js';
import { MetaResponse, serializerOf, TimestampsResponse } from '../http/record.wire.js';
import { Description, Name, OneOf, Slug } from '../validation/fields.js';
import { WORKSPACE } from './workspace.fields.js';
import { type ListedWorkspace, type Workspace, workspaceSettings } from './workspace.js';

@ApiSchema({ name: 'CreateWorkspaceRequest', description: 'A new workspace.' })
export class CreateWorkspaceRequest {
  @Name({
    description: 'Workspace name; its slug is made from it.',
  })
  name!: string;

  @Description({
    optional: true,
    default: '',
    description: 'What the workspace is about.',
  })
  description?: string;

  @OneOf(VISIBILITIES, {
    optional: true,
    default: 'public',
    description: 'A private workspace is visible only to its members.',
  })
  visibility?: Visibility;

  @OneOf(ACCESS_LEVELS, {
    optional: true,
    default: 'full',
    description: 'What members without a role of their own may do with the content.',
  })
  defaultAccess?: AccessLevel;
}

@ApiSchema({ name: 'UpdateWorkspaceRequest', description: 'Absent properties are left unchanged.' })
export class UpdateWorkspaceRequest {
  @Name({ optional: true, description: 'Workspace name.' })
  name?: string;

  @Description({
    optional: true,
    description: 'What the workspace is about.',
  })
  description?: string;

  @Slug({
    optional: true,
    description: 'Address of the workspace, unique in the team.',
  })
  slug?: string;

  @OneOf(VISIBILITIES, {
    optional: true,
    description: 'The user who makes a workspace private becomes an editor of it.',
  })
  visibility?: Visibility;

  @OneOf(ACCESS_LEVELS, {
    optional: true,
    description: 'What members without a role of their own may do with the content.',
  })
  defaultAccess?: AccessLevel;
}

@ApiSchema({ name: 'Workspace', description: 'A workspace, as the caller sees it.' })
export class WorkspaceResponse extends TimestampsResponse {
  @ApiProperty({ description: 'Unique id.' })
  _id!: string;

  @ApiProperty({ description: 'Workspace name.' })
  name!: string;

  @ApiProperty({
    maxLength: 120,
    default: '',
    description: 'What the workspace is about.',
  })
  description!: string;

  @ApiProperty({
    enum: ACCESS_LEVELS,
    default: 'full',
    description: 'What members without a role of their own may do with the content.',
  })
  defaultAccess!: AccessLevel;

  @ApiProperty({ description: 'Title, description and slug.' })
  meta!: MetaResponse;

  @ApiProperty({
    enum: VISIBILITIES,
    default: 'public',
    description: 'Spelled with a capital V in responses, `visibility` in requests.',
  })
  Visibility!: Visibility;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when its content can only be read; null: it is not archived.',
  })
  archivedAt!: string | null;

  @ApiProperty({
    enum: ACCESS_LEVELS,
    description:
      "The caller's own access to the content. While the workspace is archived, `full` changes nothing.",
  })
  access!: AccessLevel;

  @ApiProperty({
    description:
      'Changes with every change of the tree, an opaque text: compare it to skip a read.',
  })
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
