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
import { LRUCache } from 'lru-cache';
import { CLOCK } from '../config/clock.js';
import { conflict } from '../errors/domain-error.js';
import { serviceAddress } from './email.js';
import { UsersRepository } from './users.repository.js';
/** Users recently recorded by this process; after a minute the database is asked again. */
const REMEMBERED = { max: 20_000, ttl: 60_000 };
/** The user record of a token's bearer. */
let UsersService = class UsersService {
    users;
    recorded;
    constructor(users, clock) {
        this.users = users;
        this.recorded = new LRUCache({ ...REMEMBERED, perf: clock });
    }
    /** The user, where this process has recorded them with the same claims just now; otherwise null. */
    recall(claims) {
        const known = this.recorded.get(keyOf(claims));
        return known && isSame(known.claims, claims) ? toUser(known.id, claims) : null;
    }
    /**
     * Records the user at the first request and when the claims change; costs no round trip while
     * they stay the same. Only the identity is cached, never rights.
     */
    async identify(claims) {
        const known = this.recall(claims);
        if (known)
            return known;
        const id = await this.users.record(claims);
        this.recorded.set(keyOf(claims), { id, claims });
        return toUser(id, claims);
    }
    /**
     * Keeps the record of a user who is about to become a member, or to send invites, from being erased
     * before the transaction ends. Call it before the membership lock: see the order of locks. If the
     * record was erased after this process recorded it, the user is forgotten here, so that the next
     * request creates a new record.
     * @throws DomainError conflict: erased
     */
    async hold(tx, { id }) {
        if (!(await this.users.hold(tx, id)))
            this.forget(id);
    }
    /** As hold(), for one transaction of the user at a time. @throws DomainError conflict: erased */
    async holdAlone(tx, { id }) {
        if (!(await this.users.holdAlone(tx, id)))
            this.forget(id);
    }
    forget(id) {
        for (const [key, known] of this.recorded.entries()) {
            if (known.id === id)
                this.recorded.delete(key);
        }
        throw conflict('your user record has just been erased: send the request again');
    }
};
UsersService = __decorate([
    Injectable(),
    __param(1, Inject(CLOCK)),
    __metadata("design:paramtypes", [UsersRepository, Object])
], UsersService);
export { UsersService };
/** The length marks the end of the subject. */
const keyOf = ({ issuer, subject }) => `${subject.length}:${subject}${issuer}`;
/** Whether two tokens of one user have the same claims; the scope is not part of the record. */
const isSame = (a, b) => a === b ||
    (a.email === b.email &&
        a.emailVerified === b.emailVerified &&
        a.name === b.name &&
        a.image === b.image);
const toUser = (id, { email, emailVerified, name, image, scope }) => ({
    id,
    email: email ?? serviceAddress(id),
    emailVerified,
    name,
    image,
    mayManage: scope === 'manage',
    scope,
});
//# sourceMappingURL=users.service.js.map