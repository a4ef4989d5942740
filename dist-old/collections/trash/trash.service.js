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
import { CONFIG } from '../../config/config.module.js';
import { limitReached } from '../../teams/team.js';
import { CollectionsService } from '../collections.service.js';
import { authorizedPlace, ItemPlaces } from '../item-places.js';
import { notInTrash } from '../tree-errors.js';
import { TreeWriter } from '../writer/tree-writer.js';
import { TrashRepository } from './trash.repository.js';
import { TrashPurge } from './trash-purge.js';
const WHAT = 'deletion';
let TrashService = class TrashService {
    places;
    collections;
    trash;
    writer;
    purgeProcess;
    config;
    constructor(places, collections, trash, writer, purgeProcess, config) {
        this.places = places;
        this.collections = collections;
        this.trash = trash;
        this.writer = writer;
        this.purgeProcess = purgeProcess;
        this.config = config;
    }
    /**
     * The deletions of a workspace, newest first.
     * @returns a page; without a limit, if they are too many to be held, all of them in portions
     * @throws DomainError bad_request: no workspace; not_found, forbidden
     */
    async list(actor, selector, page) {
        const workspace = await this.places.workspaceFor(actor, selector, 'content.write');
        const ids = { teamId: workspace.teamId, workspaceId: workspace.id };
        const listed = await this.trash.list(actor.id, ids, page);
        return listed ?? this.trash.stream(actor.id, ids, page);
    }
    /**
     * Brings a whole deletion back into the tree, or nothing of it.
     * @returns the item with its direct children
     * @throws DomainError not_found: the deletion, or `parent`; forbidden: access, or the plan's limit;
     *   unprocessable_entity: the parent, the depth
     */
    async restore(actor, selector, id, target, write) {
        const ids = await this.idsFor(actor, selector, id, 'content.write');
        const found = await this.trash.find(ids, id);
        if (!found)
            throw notInTrash();
        this.assertRoomFor(found);
        const place = { ...ids, author: actor, callerId: actor.id };
        const { deletion } = found;
        const restored = await this.writer.run(place, { kind: 'restore', deletion, ...target }, write);
        return this.collections.withAllChildren(actor, restored);
    }
    /** Deletes a deletion for good. @throws DomainError not_found, forbidden */
    async purge(actor, selector, id) {
        const ids = await this.idsFor(actor, selector, id, 'content.purge');
        if (!(await this.trash.purge(actor, ids, id)))
            throw notInTrash();
        this.purgeProcess.wake();
    }
    /** Deletes all that is in the trash of a workspace for good. @throws DomainError as list() */
    async empty(actor, selector) {
        const workspace = await this.places.workspaceFor(actor, selector, 'content.purge');
        await this.trash.empty(actor, workspace);
        this.purgeProcess.wake();
    }
    /** The workspace of a deletion; one that is named must hold it, which the reads after this check. */
    async idsFor(actor, selector, id, action) {
        const { team, workspaceSlug } = selector;
        if ((team.slug !== undefined || team.id !== undefined) && workspaceSlug !== undefined) {
            const workspace = await this.places.workspaceFor(actor, selector, action);
            return { teamId: workspace.teamId, workspaceId: workspace.id };
        }
        return authorizedPlace(selector, await this.trash.findPlace(id, actor.id), action, WHAT);
    }
    /**
     * Only saves the work of moving rows that would have to be moved back: the limit itself is held in
     * the transaction.
     */
    assertRoomFor({ deletion, plan, usage }) {
        const limit = this.config.planLimits[plan];
        for (const resource of ['pages', 'collections']) {
            const isPast = limit.pages > 0 && usage[resource] + deletion[resource] > limit.pages;
            if (deletion[resource] > 0 && isPast)
                throw limitReached({ plan: plan, limit }, resource);
        }
    }
};
TrashService = __decorate([
    Injectable(),
    __param(5, Inject(CONFIG)),
    __metadata("design:paramtypes", [ItemPlaces,
        CollectionsService,
        TrashRepository,
        TreeWriter,
        TrashPurge, Object])
], TrashService);
export { TrashService };
//# sourceMappingURL=trash.service.js.map