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
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../openapi/operation.js';
import { CurrentActor } from './actor.js';
import { PersonResponse, serializePerson } from './person.wire.js';
let MeController = class MeController {
    getMe(actor) {
        return serializePerson(actor);
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'Retrieve the caller',
        description: 'Name, email and picture as the token has them.',
        requires: 'a token',
        response: 'The caller, as the token names them.',
        type: PersonResponse,
    }),
    __param(0, CurrentActor()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", PersonResponse)
], MeController.prototype, "getMe", null);
MeController = __decorate([
    ApiTags('me'),
    Controller('me')
], MeController);
export { MeController };
//# sourceMappingURL=me.controller.js.map