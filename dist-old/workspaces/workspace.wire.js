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
import { ACCESS_LEVELS, VISIBILITIES } from '../access/roles.js';
import { isoTime, MetaResponse, TimestampsResponse } from '../http/record.wire.js';
import { Description, Name, OneOf, Slug } from '../validation/fields.js';
let CreateWorkspaceRequest = class CreateWorkspaceRequest {
    name;
    description;
    visibility;
    defaultAccess;
};
__decorate([
    Name({
        description: 'Workspace name; its slug is made from it.',
        example: 'Handbook',
    }),
    __metadata("design:type", String)
], CreateWorkspaceRequest.prototype, "name", void 0);
__decorate([
    Description({
        optional: true,
        default: '',
        description: 'What the workspace is about.',
        example: 'How we work',
    }),
    __metadata("design:type", String)
], CreateWorkspaceRequest.prototype, "description", void 0);
__decorate([
    OneOf(VISIBILITIES, {
        optional: true,
        default: 'public',
        description: 'A private workspace is visible only to its members.',
        example: 'public',
    }),
    __metadata("design:type", String)
], CreateWorkspaceRequest.prototype, "visibility", void 0);
__decorate([
    OneOf(ACCESS_LEVELS, {
        optional: true,
        default: 'full',
        description: 'What members without a role of their own may do with the content.',
        example: 'full',
    }),
    __metadata("design:type", String)
], CreateWorkspaceRequest.prototype, "defaultAccess", void 0);
CreateWorkspaceRequest = __decorate([
    ApiSchema({ name: 'CreateWorkspaceRequest', description: 'A new workspace.' })
], CreateWorkspaceRequest);
export { CreateWorkspaceRequest };
let UpdateWorkspaceRequest = class UpdateWorkspaceRequest {
    name;
    description;
    slug;
    visibility;
    defaultAccess;
};
__decorate([
    Name({ optional: true, description: 'Workspace name.', example: 'Handbook' }),
    __metadata("design:type", String)
], UpdateWorkspaceRequest.prototype, "name", void 0);
__decorate([
    Description({
        optional: true,
        description: 'What the workspace is about.',
        example: 'How we work',
    }),
    __metadata("design:type", String)
], UpdateWorkspaceRequest.prototype, "description", void 0);
__decorate([
    Slug({
        optional: true,
        description: 'Address of the workspace, unique in the team.',
        example: 'handbook',
    }),
    __metadata("design:type", String)
], UpdateWorkspaceRequest.prototype, "slug", void 0);
__decorate([
    OneOf(VISIBILITIES, {
        optional: true,
        description: 'Whoever makes a workspace private becomes an editor of it.',
        example: 'private',
    }),
    __metadata("design:type", String)
], UpdateWorkspaceRequest.prototype, "visibility", void 0);
__decorate([
    OneOf(ACCESS_LEVELS, {
        optional: true,
        description: 'What members without a role of their own may do with the content.',
        example: 'read-only',
    }),
    __metadata("design:type", String)
], UpdateWorkspaceRequest.prototype, "defaultAccess", void 0);
UpdateWorkspaceRequest = __decorate([
    ApiSchema({ name: 'UpdateWorkspaceRequest', description: 'Absent properties are left unchanged.' })
], UpdateWorkspaceRequest);
export { UpdateWorkspaceRequest };
let WorkspaceResponse = class WorkspaceResponse extends TimestampsResponse {
    _id;
    name;
    description;
    defaultAccess;
    meta;
    Visibility;
    access;
    version;
};
__decorate([
    ApiProperty({ description: 'Unique id.', example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0e' }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ description: 'Workspace name.', example: 'Handbook' }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({
        maxLength: 120,
        default: '',
        description: 'What the workspace is about.',
        example: 'How we work',
    }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "description", void 0);
__decorate([
    ApiProperty({
        enum: ACCESS_LEVELS,
        default: 'full',
        description: 'What members without a role of their own may do with the content.',
        example: 'full',
    }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "defaultAccess", void 0);
__decorate([
    ApiProperty({ description: 'Title, description and slug.' }),
    __metadata("design:type", MetaResponse)
], WorkspaceResponse.prototype, "meta", void 0);
__decorate([
    ApiProperty({
        enum: VISIBILITIES,
        default: 'public',
        description: 'Spelled with a capital V in responses, `visibility` in requests.',
        example: 'public',
    }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "Visibility", void 0);
__decorate([
    ApiProperty({
        enum: ACCESS_LEVELS,
        description: "The caller's own access to the content.",
        example: 'full',
    }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "access", void 0);
__decorate([
    ApiProperty({
        description: 'Changes with every change of the tree, an opaque text: compare it to skip a read.',
        example: '5d0f1b9e-6a41-4f7e-9f0a-3c1f4a3f8b52',
    }),
    __metadata("design:type", String)
], WorkspaceResponse.prototype, "version", void 0);
WorkspaceResponse = __decorate([
    ApiSchema({ name: 'Workspace', description: 'A workspace, as the caller sees it.' })
], WorkspaceResponse);
export { WorkspaceResponse };
/** A workspace as the caller reads it. */
export function serializeWorkspace(workspace) {
    const { name, description, slug } = workspace;
    return {
        _id: workspace.id,
        name,
        description,
        defaultAccess: workspace.defaultAccess,
        meta: { title: name, description, slug },
        Visibility: workspace.visibility,
        access: workspace.access,
        version: workspace.treeStamp,
        createdAt: isoTime(workspace.createdAt),
        updatedAt: isoTime(workspace.updatedAt),
    };
}
/** Workspaces of a list as JSON text, each as serializeWorkspace() has it. */
export const serializeWorkspaces = (workspaces) => `[${workspaces.map(({ json, access }) => `${json},"access":"${access}"}`).join(',')}]`;
//# sourceMappingURL=workspace.wire.js.map