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
import { Database } from '../../database/database.js';
/** Those who ask wait for nobody's team: on a distributed database every node is asked once. */
const FIND = {
    name: 'changes.treeStamps',
    text: `
    SELECT w.id, w.tree_stamp FROM unnest($1::uuid[], $2::uuid[]) AS asked (team_id, id)
    JOIN workspaces w
      ON w.team_id = asked.team_id AND w.id = asked.id AND w.deleted_at IS NULL`,
    many: true,
};
/** Reads the present stamps of trees. */
let TreeStampsRepository = class TreeStampsRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /** The stamps by the id of the workspace, as far as it exists: one statement, however many. */
    async find(workspaces) {
        const values = [workspaces.map(({ teamId }) => teamId), workspaces.map(({ id }) => id)];
        const rows = await this.database.query(FIND, values);
        return new Map(rows.map(({ id, tree_stamp }) => [id, tree_stamp]));
    }
};
TreeStampsRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], TreeStampsRepository);
export { TreeStampsRepository };
//# sourceMappingURL=tree-stamps.repository.js.map