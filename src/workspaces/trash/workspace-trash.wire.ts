import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { VISIBILITIES, type Visibility } from '../../access/roles.js';
import { isoTime, MetaResponse, Time } from '../../http/record.wire.js';
import type { Deleted } from './workspace-trash.repository.js';
import type { ListedWorkspaceDeletion } from './workspace-trash.service.js';

@ApiSchema({ name: 'DeletedBy', description: 'Who deleted it.' })
export class DeletedByResponse {
  @ApiProperty({ description: 'Id of the user.' })
  _id!: string;

  @ApiProperty({ description: 'Name.' })
  name!: string;
}

/** What the trash tells of each deletion. */
export class DeletedResponse {
  @Time()
  deletedAt!: string;

  @ApiProperty({
    type: DeletedByResponse,
    nullable: true,
    description: 'Who deleted it; null if that is not known.',
  })
  deletedBy!: DeletedByResponse | null;

  @Time('When it is deleted for good')
  expiresAt!: string;
}

@ApiSchema({ name: 'DeletedWorkspace', description: 'A workspace in the trash.' })
export class DeletedWorkspaceResponse extends DeletedResponse {
  @ApiProperty({ description: 'Unique id.' })
  _id!: string;

  @ApiProperty({ description: 'Workspace name.' })
  name!: string;

  @ApiProperty({ description: 'Title, description, and the slug that it had.' })
  meta!: MetaResponse;

  @ApiProperty({
    enum: VISIBILITIES,
    description: 'Spelled with a capital V, as in a workspace.',
  })
  Visibility!: Visibility;

  @ApiProperty({ type: 'integer', description: 'Pages in the workspace.' })
  pages!: number;
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
