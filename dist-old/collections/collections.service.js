var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Inject, Injectable } from '@nestjs/common';
import { requireScope } from '../auth/scopes.js';
import { CONFIG } from '../config/config.module.js';
import { outcomeUnknown } from '../errors/domain-error.js';
import { MOST_CHILDREN, } from './collection.js';
import { ItemPlaces, idsOf } from './item-places.js';
import { ItemsRepository } from './items.repository.js';
import { toNodes } from './new-nodes.js';
import { TreeWriter } from './writer/tree-writer.js';
/** Writes of items; ItemReadsService reads them. */
let CollectionsService = class CollectionsService {
    places;
    items;
    writer;
    config;
    constructor(places, items, writer, config) {
        this.places = places;
        this.items = items;
        this.writer = writer;
        this.config = config;
    }
    /**
     * Makes items, all or none.
     * @returns them in the order given, each behind its parent
     * @throws DomainError bad_request: no workspace; not_found; forbidden: access, or the plan's limit;
     *   unprocessable_entity
     */
    async create(actor, selector, given, write) {
        const { parentId, index, items, field } = given;
        const ids = idsOf(await this.places.workspaceFor(actor, selector, 'content.write'));
        const nodes = await toNodes(items, field);
        const command = { kind: 'create', parentId, index, nodes };
        return this.writer.run({ ...ids, author: actor }, command, write);
    }
    /** @throws DomainError bad_request: no workspace; not_found, forbidden, conflict, unprocessable_entity */
    async reorder(actor, selector, move, write) {
        const ids = idsOf(await this.places.workspaceFor(actor, selector, 'content.write'));
        await this.writer.run({ ...ids, author: actor }, { kind: 'move', move }, write);
    }
    /** Gives a parent its complete list of children. @throws DomainError as reorder() */
    async order(actor, selector, ordering) {
        const ids = idsOf(await this.places.workspaceFor(actor, selector, 'content.write'));
        await this.writer.run({ ...ids, author: actor }, { kind: 'order', ...ordering });
    }
    /** What a command wrote, with all direct children, if the result does not have them all. */
    async withAllChildren(actor, result) {
        const [item, ...children] = result.items;
        const isCut = children.length > MOST_CHILDREN;
        const by = { ...item, callerId: actor.id };
        return { ...result, children: isCut ? await this.childrenAfterWrite(by, item.id) : null };
    }
    /** @throws DomainError not_found, forbidden, conflict, unprocessable_entity */
    async update(actor, selector, id, changes) {
        const { items, etag } = await this.places.where(actor, selector, id, 'content.write', (ids) => this.writer.run({ ...ids, author: actor }, { kind: 'update', id, changes }));
        const [item] = items;
        // Read later than the ETag, never earlier: a child that changed in between makes it stale.
        const by = { ...item, callerId: actor.id };
        const children = item.object === 'collection' ? await this.childrenAfterWrite(by, id) : [];
        return { item, children, etag: etag };
    }
    /**
     * Changes parts of a page's content: all operations or none, on the content as it is when it is
     * written.
     * @throws DomainError not_found, forbidden, conflict, unprocessable_entity
     */
    async patch(actor, selector, id, patch, write) {
        return this.places.where(actor, selector, id, 'content.write', (ids) => this.writer.run({ ...ids, author: actor }, { kind: 'patch', id, ...patch }, write));
    }
    /**
     * The direct children of an item whose change is committed: a failure of this read must not be taken
     * for a change that failed.
     * @throws DomainError internal_server_error: the outcome is unknown
     */
    childrenAfterWrite(by, id) {
        return this.items.children(by, id).catch((error) => {
            throw outcomeUnknown(error);
        });
    }
    /**
     * Moves an item with all below it to the trash.
     * @param isPermanent deletes it for good instead, which takes managing the workspace
     * @throws DomainError not_found, forbidden, conflict
     */
    async delete(actor, selector, id, isPermanent, ifMatch) {
        if (isPermanent)
            requireScope(actor.scope, 'manage');
        const action = isPermanent ? 'content.purge' : 'content.write';
        const hasTrash = this.config.trashTtlSeconds > 0;
        const trashedBy = isPermanent || !hasTrash ? null : actor.id;
        const command = { kind: 'delete', id, trashedBy, ifMatch };
        await this.places.where(actor, selector, id, action, (ids) => this.writer.run({ ...ids, author: actor, callerId: actor.id }, command));
    }
};
CollectionsService = __decorate([
    Injectable(),
    __param(3, Inject(CONFIG)),
    __metadata("design:paramtypes", [ItemPlaces,
        ItemsRepository,
        TreeWriter, Object])
], CollectionsService);
export { CollectionsService };
//# sourceMappingURL=collections.service.js.map