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
import { forbidden } from '../../errors/domain-error.js';
import { TeamMembersRepository } from './team-members.repository.js';
/** How many teams a person owns. */
let Ownership = class Ownership {
    members;
    config;
    constructor(members, config) {
        this.members = members;
        this.config = config;
    }
    /**
     * Lets somebody become the owner of one more team. The transaction must hold their record alone
     * (UsersRepository.holdAlone()), so that nobody else counts at the same time.
     * @throws DomainError forbidden: they own TEAMS_PER_OWNER teams
     */
    async assertRoom(tx, userId) {
        const most = this.config.teamsPerOwner;
        if (most === 0 || (await this.members.countOwned(tx, userId)) < most)
            return;
        throw tooManyTeams(most);
    }
};
Ownership = __decorate([
    Injectable(),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [TeamMembersRepository, Object])
], Ownership);
export { Ownership };
export const tooManyTeams = (most) => forbidden(`a person can own at most ${most} teams: make someone else an owner of one and leave it`);
//# sourceMappingURL=ownership.js.map