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
import { notFound } from '../errors/domain-error.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { etagOf, listEtagOf, matchesWeakly } from './etag.js';
import { authorizedPlace, followed, namesWorkspace, refOf, WHAT } from './item-places.js';
import { itemById, itemBySlug, toReadItem } from './item-statements.js';
import { ItemsRepository } from './items.repository.js';
import { TreeRepository } from './tree.repository.js';
import { smallPart } from './tree-lists.js';
/** Reads of trees and of single items: small ones in one statement with what decides on access. */
let ItemReadsService = class ItemReadsService {
    workspaces;
    items;
    tree;
    constructor(workspaces, items, tree) {
        this.workspaces = workspaces;
        this.items = items;
        this.tree = tree;
    }
    /**
     * @param ifNoneMatch the ETag that the caller has
     * @returns a body of null where that is current
     * @throws DomainError bad_request: no workspace, cursor; not_found, forbidden; unprocessable_entity
     */
    async list(actor, selector, query, ifNoneMatch) {
        // Without a tag to compare, the list comes along if it is small.
        const [workspace] = await this.workspaces.readForAction(actor, refOf(selector), 'content.read', ifNoneMatch === undefined ? smallPart(query) : undefined);
        const etag = listEtagOf(workspace.treeStamp, query);
        if (matchesWeakly(ifNoneMatch, etag)) {
            // Whoever has the tag has read the list. `*` asks whether there is one.
            if (ifNoneMatch?.includes('*')) {
                await this.tree.assertExists(actor.id, workspace, query);
            }
            return { body: null, etag, next: null };
        }
        return this.tree.read(actor.id, workspace, query);
    }
    /** @throws DomainError not_found, forbidden */
    async get(actor, selector, id, withAncestors) {
        if (namesWorkspace(selector)) {
            return this.readIn(actor, selector, itemById(id, withAncestors), withAncestors);
        }
        const find = async () => {
            const anywhere = await this.items.findAndRead(id, actor.id, withAncestors);
            return authorizedPlace(selector, anywhere, 'content.read', WHAT);
        };
        return followed(find, (found) => this.complete({ ...found, callerId: actor.id }, found, withAncestors));
    }
    /** @throws DomainError bad_request: no workspace; not_found, forbidden */
    getBySlug(actor, selector, slug, withAncestors) {
        return this.readIn(actor, selector, itemBySlug(slug, withAncestors), withAncestors);
    }
    async readIn(actor, selector, read, withAncestors) {
        const [row] = await this.workspaces.readForAction(actor, refOf(selector), 'content.read', read);
        if (row.itemId === null)
            throw notFound(WHAT);
        const place = { teamId: row.teamId, workspaceId: row.id, callerId: actor.id };
        return this.complete(place, row, withAncestors);
    }
    /** Reads an item that is too large to have come along. @throws DomainError not_found: it is gone */
    async complete(place, found, withAncestors) {
        const item = found.json === null
            ? await this.items.withChildren(place, found.itemId, withAncestors)
            : toReadItem(found);
        if (!item)
            throw notFound(WHAT);
        const { itemId: id, version, children, ancestors } = item;
        const marks = children.map(({ mark }) => mark).join('');
        return { ...item, etag: etagOf({ id, version }, marks, ancestors) };
    }
};
ItemReadsService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [WorkspacesService,
        ItemsRepository,
        TreeRepository])
], ItemReadsService);
export { ItemReadsService };
//# sourceMappingURL=item-reads.service.js.map