var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../validation/fields.js';
let JoinTeamRequest = class JoinTeamRequest {
    inviteCode;
};
__decorate([
    Text({ min: 1, max: 24 }, { description: '`inviteCode` of the team.', example: 'p3T0x1nqSbG5fZlq2mVh8KdA' }),
    __metadata("design:type", String)
], JoinTeamRequest.prototype, "inviteCode", void 0);
JoinTeamRequest = __decorate([
    ApiSchema({ name: 'JoinTeamRequest', description: 'The code that the team gives out.' })
], JoinTeamRequest);
export { JoinTeamRequest };
//# sourceMappingURL=join.wire.js.map