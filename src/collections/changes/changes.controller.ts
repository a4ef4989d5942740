import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { Held, type HeldRequest } from '../../http/deadline.js';
import { JsonText } from '../../http/json-stream.js';
import { foreignCursor } from '../../http/pagination.js';
import { queryErrors } from '../../openapi/example-errors.js';
import { CHANGES } from '../../openapi/examples.js';
import { Operation } from '../../openapi/operation.js';
import {
  cursorOfOtherWorkspace,
  cursorTooOld,
  noWorkspaceNamed,
  tooManyWaiting,
} from '../errors.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { Selector } from '../items/workspace-selector.wire.js';
import { CURSOR_SOURCE } from './change-cursor.js';
import { ChangesService } from './changes.service.js';
import {
  ChangesResponse,
  GetChangesQuery,
  serializeChanges,
  toChangesQuery,
} from './changes.wire.js';

/** The feed that keeps a copy of a workspace in step. */
@ApiTags('collections')
@Controller([
  'collections/changes',
  'teams/:team_slug/workspaces/:workspace_slug/collections/changes',
])
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get()
  @JsonText()
  @Operation({
    summary: 'Follow the changes of a workspace',
    description:
      'Keeps a copy of the tree in sync: call it without `cursor` first, then with the `cursor` of each response. The feed starts with all items and continues with what has changed since, in the order of commits; an item that changed several times may appear once, as it is now. When `more` is false, your copy is a consistent snapshot. Returns 409 if the cursor is too old, or belongs to another workspace or another history of the database: start again without one.',
    access: { action: 'content.read', on: 'workspace' },
    response: 'A page of changes, and the cursor to continue with.',
    type: ChangesResponse,
    example: CHANGES,
    errors: [
      noWorkspaceNamed(),
      ...queryErrors(GetChangesQuery, { limit: '0' }, { wait: '60' }),
      foreignCursor(CURSOR_SOURCE),
      cursorOfOtherWorkspace(),
      cursorTooOld(),
      tooManyWaiting(),
    ],
  })
  async getChanges(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetChangesQuery,
    @Held() request: HeldRequest,
  ): Promise<string> {
    return serializeChanges(
      await this.changes.read(actor, selector, toChangesQuery(query), request),
    );
  }
}
