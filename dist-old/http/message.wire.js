var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
let MessageResponse = class MessageResponse {
    message;
};
__decorate([
    ApiProperty({ default: '', description: 'One sentence.', example: 'The item was moved.' }),
    __metadata("design:type", String)
], MessageResponse.prototype, "message", void 0);
MessageResponse = __decorate([
    ApiSchema({ name: 'Message', description: 'What was done.' })
], MessageResponse);
export { MessageResponse };
//# sourceMappingURL=message.wire.js.map