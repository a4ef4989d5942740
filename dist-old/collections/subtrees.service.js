var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { slugsFor } from '../workspaces/slug.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { CollectionsService } from './collections.service.js';
import { ItemPlaces, idsOf } from './item-places.js';
import { TreeWriter } from './writer/tree-writer.js';
/** Copies and transfers of items with all below them. */
let SubtreesService = class SubtreesService {
    workspaces;
    places;
    collections;
    writer;
    constructor(workspaces, places, collections, writer) {
        this.workspaces = workspaces;
        this.places = places;
        this.collections = collections;
        this.writer = writer;
    }
    /**
     * Copies an item, within its workspace or to another one of the team, where the caller may write.
     * @param name of the copy; absent: that of the original
     * @returns the copy with its direct children
     * @throws DomainError not_found; forbidden: access, or the plan's limit; conflict: `ifMatch`;
     *   unprocessable_entity: the parent, the depth, the number of items
     */
    duplicate(actor, selector, id, name, { workspaceSlug, ...target }, write) {
        const named = name === undefined ? null : namedAs(name);
        const action = workspaceSlug === undefined ? 'content.write' : 'content.read';
        return this.places.where(actor, selector, id, action, async (from) => {
            const to = workspaceSlug === undefined ? from : await this.target(actor, from, workspaceSlug);
            const arrival = { id, from: otherThan(to, from), ...target };
            const place = { ...to, author: actor, callerId: actor.id };
            const copy = await this.writer.run(place, { kind: 'copy', ...arrival, named }, write);
            return this.collections.withAllChildren(actor, copy);
        });
    }
    /**
     * Moves an item to another workspace of its team; the caller may write in both.
     * @returns the item with its direct children
     * @throws DomainError as duplicate(), without a limit; unprocessable_entity: it is in that workspace
     */
    transfer(actor, selector, id, { workspaceSlug, ...target }, write) {
        return this.places.where(actor, selector, id, 'content.write', async (from) => {
            const to = await this.target(actor, from, workspaceSlug);
            const arrival = { id, from: otherThan(to, from), ...target };
            const place = { ...to, author: actor, callerId: actor.id };
            const item = await this.writer.run(place, { kind: 'transfer', ...arrival }, write);
            return this.collections.withAllChildren(actor, item);
        });
    }
    /** The workspace of the same team that something goes to. @throws DomainError not_found, forbidden */
    async target(actor, { teamId }, slug) {
        const ref = { team: { id: teamId }, slug };
        return idsOf(await this.workspaces.forAction(actor, ref, 'content.write'));
    }
};
SubtreesService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [WorkspacesService,
        ItemPlaces,
        CollectionsService,
        TreeWriter])
], SubtreesService);
export { SubtreesService };
/** The workspace that something comes from; null: it is the one that it goes to. */
const otherThan = (to, from) => from.workspaceId === to.workspaceId ? null : from.workspaceId;
function namedAs(name) {
    const { wanted, fallback } = slugsFor(name);
    return { name, slugs: [wanted, fallback] };
}
//# sourceMappingURL=subtrees.service.js.map