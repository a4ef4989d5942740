var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RateLimit } from './rate-limit.js';
/** Counts the requests of known callers. A guard that runs after authentication. */
let RateLimitGuard = class RateLimitGuard {
    limit;
    constructor(limit) {
        this.limit = limit;
    }
    canActivate(context) {
        if (!this.limit.enabled)
            return true;
        const http = context.switchToHttp();
        const request = http.getRequest();
        if (request.user === undefined)
            return true;
        request.countedFor = 'user';
        return this.limit.count(http.getResponse(), 'user', request.user.id);
    }
};
RateLimitGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [RateLimit])
], RateLimitGuard);
export { RateLimitGuard };
const COST = Symbol('cost');
/** The additional cost of this operation in the rate limit. Other operations count one. */
export const Costs = (cost) => SetMetadata(COST, cost);
/** Counts the cost of an operation by its body. A guard that runs after the one that reads the body. */
let RateLimitCostGuard = class RateLimitCostGuard {
    limit;
    reflector;
    constructor(limit, reflector) {
        this.limit = limit;
        this.reflector = reflector;
    }
    canActivate(context) {
        const cost = this.reflector.get(COST, context.getHandler());
        if (!cost || !this.limit.enabled)
            return true;
        const http = context.switchToHttp();
        const { body, user } = http.getRequest();
        const points = Math.floor(elementsOf(body, cost) / cost.per);
        if (user === undefined || points === 0)
            return true;
        return this.limit.charge(http.getResponse(), user.id, points);
    }
};
RateLimitCostGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [RateLimit,
        Reflector])
], RateLimitCostGuard);
export { RateLimitCostGuard };
/** The number of elements in the list. Only the size of the body has been checked. */
function elementsOf(body, { list, below }) {
    let count = 0;
    const open = [listOf(body, list)];
    for (let elements = open.pop(); elements; elements = open.pop()) {
        count += elements.length;
        if (below === undefined)
            continue;
        for (const element of elements) {
            const more = listOf(element, below);
            if (more.length > 0)
                open.push(more);
        }
    }
    return count;
}
function listOf(value, name) {
    const list = value?.[name];
    return Array.isArray(list) ? list : [];
}
//# sourceMappingURL=rate-limit.guard.js.map