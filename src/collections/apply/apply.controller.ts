import { Body, Controller, Headers, Put } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Actor } from '../../auth/actor.js';
import { ChangesContent, CurrentActor } from '../../auth/token.guard.js';
import { APPLIED, MANIFEST } from '../../openapi/examples.js';
import { Operation } from '../../openapi/operation.js';
import { Costs } from '../../rate-limit/rate-limit.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { IF_MATCH } from '../items/collection.wire.js';
import { Selector } from '../items/collection-requests.wire.js';
import { ITEMS_PER_POINT } from '../limits.js';
import { ApplyService } from './apply.service.js';
import {
  ApplyCollectionsRequest,
  ApplyReportResponse,
  serializeReport,
  toManifest,
} from './apply.wire.js';

/** Makes a tree equal to a manifest. */
@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class ApplyController {
  constructor(private readonly applied: ApplyService) {}

  @Put('apply')
  @Costs({ list: 'items', below: 'children', per: ITEMS_PER_POINT })
  @ApiHeader({ ...IF_MATCH, description: 'ETag that the list must still have; otherwise 409.' })
  @Operation({
    summary: 'Make a tree equal to a manifest',
    description:
      'What lies below `parent` becomes what the manifest says, in one transaction: the item of the workspace that has a key is renamed, moved, ordered and saved where it differs, a missing one is created. What is equal is left alone: no change in the feed, the same ETag. Sending the same manifest again changes nothing. A `content` that is absent stays; absent `children`: what lies below is left alone. Siblings with a key that the manifest does not name come after those that it names, and before those without a key. With `prune`, items below `parent` that have a key and are not in the manifest go to the trash; 409 if something without a key, or something that the manifest places elsewhere, would go with one. What others wrote in the meantime is overwritten, and kept as a version.',
    access: { action: 'content.write', on: 'workspace' },
    response: 'What was done, and the id of each item by its key.',
    type: ApplyReportResponse,
    example: APPLIED,
    bodies: { tree: { summary: 'A collection with two pages', value: MANIFEST } },
  })
  async applyCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: ApplyCollectionsRequest,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<ApplyReportResponse> {
    const manifest = toManifest(body, ifMatch);
    return serializeReport(await this.applied.apply(actor, selector, manifest));
  }
}
