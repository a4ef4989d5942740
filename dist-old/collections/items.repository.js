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
import { Database } from '../database/database.js';
import { isUuid } from '../database/ids.js';
import { CHILDREN, FIND, FIND_AND_READ, WITH_CHILDREN } from './item-statements.js';
/** Reads of single items: prepared statements. */
let ItemsRepository = class ItemsRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /** The place of an item that no workspace was named for; null: no such item. */
    async find(id, userId) {
        if (!isUuid(id))
            return null;
        const [row] = await this.database.query(FIND, [id, userId]);
        return row ?? null;
    }
    /** The same, with the item if it is small; a distributed database tells the place alone. */
    async findAndRead(id, userId, withAncestors) {
        if (!isUuid(id))
            return null;
        if (await this.database.isDistributed()) {
            const found = await this.find(id, userId);
            return found && { ...found, itemId: id, json: null };
        }
        const statement = FIND_AND_READ[withAncestors ? 'ancestors' : 'plain'];
        const [row] = await this.database.query(statement, [id, userId]);
        return row ?? null;
    }
    /**
     * An item of any size with its content and its direct children, in order, and with its ancestors if
     * they are asked for: all of one moment.
     * @returns null if the item is gone
     */
    async withChildren({ teamId, workspaceId, callerId }, id, withAncestors) {
        const values = [teamId, workspaceId, id, withAncestors];
        const by = { callerId, teamId };
        const rows = await this.database.query(WITH_CHILDREN, values, by);
        const [item, ...children] = rows;
        if (!item || item.itemId === null)
            return null;
        return {
            ...item,
            ancestors: item.ancestors ?? undefined,
            children: children,
        };
    }
    /** The direct children, in order, without content. */
    children({ teamId, callerId }, id) {
        return this.database.query(CHILDREN, [teamId, id], { callerId, teamId });
    }
};
ItemsRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], ItemsRepository);
export { ItemsRepository };
//# sourceMappingURL=items.repository.js.map