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
/** What a link preview shows. A collection has no description: `PickType(MetaResponse, [...])`. */
let MetaResponse = class MetaResponse {
    title;
    description;
    slug;
};
__decorate([
    ApiProperty({ description: 'The name.', example: 'Acme' }),
    __metadata("design:type", String)
], MetaResponse.prototype, "title", void 0);
__decorate([
    ApiProperty({ description: 'The description, or "".', example: 'Rockets and anvils' }),
    __metadata("design:type", String)
], MetaResponse.prototype, "description", void 0);
__decorate([
    ApiProperty({ description: 'The slug, for paths.', example: 'acme' }),
    __metadata("design:type", String)
], MetaResponse.prototype, "slug", void 0);
MetaResponse = __decorate([
    ApiSchema({ name: 'Meta', description: 'What a link preview shows.' })
], MetaResponse);
export { MetaResponse };
/** Times of creation and of the last change: response classes extend it. */
export class TimestampsResponse {
    createdAt;
    updatedAt;
}
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'Time of creation: ISO 8601 UTC with milliseconds.',
        example: '2026-01-01T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], TimestampsResponse.prototype, "createdAt", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'Time of the last change: ISO 8601 UTC with milliseconds.',
        example: '2026-01-01T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], TimestampsResponse.prototype, "updatedAt", void 0);
/** ISO 8601 in UTC with milliseconds: what toISOString() writes, in half the time. */
export function isoTime(time) {
    const date = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
    const hour = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
    const milliseconds = String(time.getUTCMilliseconds()).padStart(3, '0');
    return `${date}T${hour}:${two(time.getUTCSeconds())}.${milliseconds}Z`;
}
const two = (part) => (part < 10 ? `0${part}` : String(part));
//# sourceMappingURL=record.wire.js.map