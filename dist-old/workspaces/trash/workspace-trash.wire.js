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
import { VISIBILITIES } from '../../access/roles.js';
import { isoTime, MetaResponse } from '../../http/record.wire.js';
const ID = '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0e';
let DeletedByResponse = class DeletedByResponse {
    _id;
    name;
};
__decorate([
    ApiProperty({ description: 'Id of the user.', example: ID }),
    __metadata("design:type", String)
], DeletedByResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ description: 'Name.', example: 'Ada' }),
    __metadata("design:type", String)
], DeletedByResponse.prototype, "name", void 0);
DeletedByResponse = __decorate([
    ApiSchema({ name: 'DeletedBy', description: 'Who deleted it.' })
], DeletedByResponse);
export { DeletedByResponse };
/** What the trash tells of each deletion. */
export class DeletedResponse {
    deletedAt;
    deletedBy;
    expiresAt;
}
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'ISO 8601 UTC with milliseconds.',
        example: '2026-01-01T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], DeletedResponse.prototype, "deletedAt", void 0);
__decorate([
    ApiProperty({
        type: DeletedByResponse,
        nullable: true,
        description: 'Who deleted it; null if that is not known.',
    }),
    __metadata("design:type", Object)
], DeletedResponse.prototype, "deletedBy", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'When it is deleted for good: ISO 8601 UTC with milliseconds.',
        example: '2026-01-31T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], DeletedResponse.prototype, "expiresAt", void 0);
let DeletedWorkspaceResponse = class DeletedWorkspaceResponse extends DeletedResponse {
    _id;
    name;
    meta;
    Visibility;
    pages;
};
__decorate([
    ApiProperty({ description: 'Unique id.', example: ID }),
    __metadata("design:type", String)
], DeletedWorkspaceResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ description: 'Workspace name.', example: 'Handbook' }),
    __metadata("design:type", String)
], DeletedWorkspaceResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({ description: 'Title, description, and the slug that it had.' }),
    __metadata("design:type", MetaResponse)
], DeletedWorkspaceResponse.prototype, "meta", void 0);
__decorate([
    ApiProperty({
        enum: VISIBILITIES,
        description: 'Spelled with a capital V, as in a workspace.',
        example: 'public',
    }),
    __metadata("design:type", String)
], DeletedWorkspaceResponse.prototype, "Visibility", void 0);
__decorate([
    ApiProperty({ type: 'integer', description: 'Pages in the workspace.', example: 2 }),
    __metadata("design:type", Number)
], DeletedWorkspaceResponse.prototype, "pages", void 0);
DeletedWorkspaceResponse = __decorate([
    ApiSchema({ name: 'DeletedWorkspace', description: 'A workspace in the trash.' })
], DeletedWorkspaceResponse);
export { DeletedWorkspaceResponse };
/** What is known about a deletion. */
export const serializeDeleted = (deletion) => ({
    deletedAt: isoTime(deletion.deletedAt),
    deletedBy: deletion.deletedBy && { _id: deletion.deletedBy.id, name: deletion.deletedBy.name },
    expiresAt: isoTime(deletion.expiresAt),
});
export const serializeDeletedWorkspace = (workspace) => ({
    _id: workspace.id,
    name: workspace.name,
    meta: {
        title: workspace.name,
        description: workspace.description,
        slug: workspace.slug,
    },
    Visibility: workspace.visibility,
    pages: workspace.pages,
    ...serializeDeleted(workspace),
});
//# sourceMappingURL=workspace-trash.wire.js.map