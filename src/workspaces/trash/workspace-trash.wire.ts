import { VISIBILITIES, type Visibility } from '../../access/roles.js';
import { isoTime, MetaResponse } from '../../http/record.wire.js';
import { Property, Schema, Time } from '../../openapi/property.js';
import type { Deleted } from './workspace-trash.repository.js';
import type { ListedWorkspaceDeletion } from './workspace-trash.service.js';

@Schema('Who deleted it.')
export class DeletedByResponse {
  @Property('Id of the user.') _id!: string;
  @Property('Name.') name!: string;
}

/** What the trash tells of each deletion. */
export class DeletedResponse {
  @Time() deletedAt!: string;

  @Property('Who deleted it; null if that is not known.', {
    type: DeletedByResponse,
    nullable: true,
  })
  deletedBy!: DeletedByResponse | null;

  @Time('When it is deleted for good') expiresAt!: string;
}

@Schema('A workspace in the trash.')
export class DeletedWorkspaceResponse extends DeletedResponse {
  @Property('Unique id.') _id!: string;
  @Property('Workspace name.') name!: string;
  @Property('Title, description, and the slug that it had.') meta!: MetaResponse;

  @Property('Spelled with a capital V, as in a workspace.', { enum: VISIBILITIES })
  Visibility!: Visibility;

  @Property('Pages in the workspace.', { type: 'integer' }) pages!: number;
}

/** What is known about a deletion. */
export const serializeDeleted = ({
  deletedAt,
  deletedBy,
  deletedByName,
  expiresAt,
}: Deleted): DeletedResponse => ({
  deletedAt: isoTime(deletedAt),
  deletedBy:
    deletedBy === null || deletedByName === null ? null : { _id: deletedBy, name: deletedByName },
  expiresAt: isoTime(expiresAt),
});

export const serializeDeletedWorkspace = (
  workspace: ListedWorkspaceDeletion,
): DeletedWorkspaceResponse => ({
  _id: workspace.id,
  name: workspace.name,
  meta: {
    title: workspace.name,
    description: workspace.description,
    slug: workspace.slug,
  },
  Visibility: workspace.visibility,
  pages: workspace.pages,
  ...serializeDeleted(workspace),
});
