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
import { LRUCache } from 'lru-cache';
import { Database } from '../database/database.js';
import { isPossibleSlug, isUuid } from '../database/ids.js';
/** Slugs that a process remembers; an entry takes about 200 bytes. */
const REMEMBERED = 20_000;
/**
 * Remembers which team a slug named last, so that reads can name the team by its id: in a database
 * distributed by team only that leads to one node. A slug may pass to another team at any time:
 * a read must check the slug, too, and find nothing where it differs.
 */
let TeamIds = class TeamIds {
    database;
    ids = new LRUCache({ max: REMEMBERED });
    constructor(database) {
        this.database = database;
    }
    /**
     * Reads something of the team that `ref` names.
     * @param read by the team's id and, where it is not null, its slug; null where no team has both
     * @returns null: no such team
     */
    async resolve(ref, read) {
        const { slug, id } = ref;
        if (slug === undefined)
            return id !== undefined && isUuid(id) ? read(id, null) : null;
        if (!isPossibleSlug(slug))
            return null;
        const remembered = this.ids.get(slug);
        const found = remembered === undefined ? null : await read(remembered, slug);
        if (found !== null)
            return found;
        const current = await this.lookUp(slug);
        return current === null ? null : read(current, slug);
    }
    async lookUp(slug) {
        const [team] = await this.database.query(LOOK_UP, [slug]);
        if (team)
            this.ids.set(slug, team.id);
        else
            this.ids.delete(slug);
        return team?.id ?? null;
    }
};
TeamIds = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], TeamIds);
export { TeamIds };
const LOOK_UP = { name: 'teamIds.lookUp', text: 'SELECT id FROM teams WHERE slug = $1' };
//# sourceMappingURL=team-ids.repository.js.map