var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
let PersonResponse = class PersonResponse {
    _id;
    name;
    email;
    image;
};
__decorate([
    ApiProperty({
        minLength: 1,
        description: 'Unique id of the person: the `userId` of requests.',
        example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0a',
    }),
    __metadata("design:type", String)
], PersonResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ minLength: 1, description: 'Name.', example: 'Ada' }),
    __metadata("design:type", String)
], PersonResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({ format: 'idn-email', description: 'Email address.', example: 'ada@example.com' }),
    __metadata("design:type", String)
], PersonResponse.prototype, "email", void 0);
__decorate([
    ApiPropertyOptional({
        format: 'uri',
        description: 'Address of a picture; absent if there is none.',
        example: 'https://example.com/ada.png',
    }),
    __metadata("design:type", String)
], PersonResponse.prototype, "image", void 0);
PersonResponse = __decorate([
    ApiSchema({ name: 'Person', description: 'A person, as their identity provider names them.' })
], PersonResponse);
export { PersonResponse };
/** A person as others, or they themselves, read them. */
export function serializePerson(person) {
    const { id, name, email, image } = person;
    return { _id: id, name, email, ...(image !== null && { image }) };
}
//# sourceMappingURL=person.wire.js.map