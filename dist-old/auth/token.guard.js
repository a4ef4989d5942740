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
import { JwtStrategy } from './jwt.strategy.js';
import { requireScope } from './scopes.js';
import { UsersService } from './users.service.js';
import { VerifiedTokens } from './verified-tokens.js';
const ROUTE_KIND = Symbol('route kind');
/** Opens a route to callers without a token. Every other route requires one. */
export const Public = () => SetMetadata(ROUTE_KIND, 'public');
/** These routes change content: the scope `teamspaces:write` suffices. */
export const ChangesContent = () => SetMetadata(ROUTE_KIND, 'content');
/** Of routes that read, or otherwise change content: this one takes the scope `teamspaces:manage`. */
export const RequiresManage = () => SetMetadata(ROUTE_KIND, 'settings');
/** The first global guard: a valid bearer token, or 401. No body has been read yet. */
let TokenGuard = class TokenGuard {
    reflector;
    tokens;
    users;
    strategy;
    constructor(reflector, tokens, users, strategy) {
        this.reflector = reflector;
        this.tokens = tokens;
        this.users = users;
        this.strategy = strategy;
    }
    async canActivate(context) {
        const kind = this.reflector.getAllAndOverride(ROUTE_KIND, [
            context.getHandler(),
            context.getClass(),
        ]);
        if (kind === 'public')
            return true;
        const http = context.switchToHttp();
        const request = http.getRequest();
        const claims = this.tokens.recall(request.headers.authorization);
        const user = claims
            ? (this.users.recall(claims) ?? (await this.users.identify(claims)))
            : await this.strategy.authenticated(request, http.getResponse());
        request.user = { ...user, requestId: request.id };
        return true;
    }
};
TokenGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Reflector,
        VerifiedTokens,
        UsersService,
        JwtStrategy])
], TokenGuard);
export { TokenGuard };
/**
 * Returns 403 unless the scopes suffice. Runs after the guard that counts requests: refusals count,
 * too.
 */
let ScopeGuard = class ScopeGuard {
    reflector;
    constructor(reflector) {
        this.reflector = reflector;
    }
    canActivate(context) {
        const request = context.switchToHttp().getRequest();
        if (request.user === undefined)
            return true;
        const kind = this.reflector.getAllAndOverride(ROUTE_KIND, [
            context.getHandler(),
            context.getClass(),
        ]);
        requireScope(request.user.scope, neededScope(request.method, kind));
        return true;
    }
};
ScopeGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Reflector])
], ScopeGuard);
export { ScopeGuard };
/** Reads require the lowest scope; changes of anything but content require the highest. */
function neededScope(method, kind) {
    if (kind === 'settings')
        return 'manage';
    if (method === 'GET' || method === 'HEAD')
        return 'read';
    return kind === 'content' ? 'write' : 'manage';
}
//# sourceMappingURL=token.guard.js.map