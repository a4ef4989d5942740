var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
import { violatedConstraint } from '../database/database-errors.js';
import { slugTakenInTeam, } from './workspace.js';
/** Writes workspaces, and reads what the writes depend on. */
let WorkspacesRepository = class WorkspacesRepository {
    /** Those of these slugs that workspaces of the team have. */
    async takenSlugs(tx, teamId, slugs) {
        const rows = await tx.query(TAKEN_SLUGS, [teamId, slugs]);
        return rows.map(({ slug }) => slug);
    }
    /** @throws DomainError conflict: the slug is taken in the team */
    create(tx, workspace) {
        const { teamId, id, name, slug, description } = workspace;
        const { visibility, defaultAccess, treeStamp, createdAt } = workspace;
        const settings = [name, slug, description, visibility, defaultAccess];
        tx.write(CREATE, [teamId, id, ...settings, treeStamp, createdAt], explainSlug(slug));
    }
    /**
     * Changes what `changes` names.
     * @throws DomainError conflict: the slug is taken in the team
     */
    update(tx, { id, teamId }, changes, now) {
        const { name, slug, description, visibility, defaultAccess } = changes;
        const settings = [name, slug, description, visibility, defaultAccess];
        tx.write(UPDATE, [teamId, id, ...settings, now], explainSlug(slug));
    }
    /** How many pages and collections it has. */
    async countItems(tx, { id, teamId }) {
        const rows = await tx.query(COUNT_ITEMS, [teamId, id]);
        return rows[0];
    }
};
WorkspacesRepository = __decorate([
    Injectable()
], WorkspacesRepository);
export { WorkspacesRepository };
const explainSlug = (slug) => (error) => violatedConstraint(error) === 'workspaces_team_slug_key' ? slugTakenInTeam(slug) : error;
const TAKEN_SLUGS = {
    name: 'workspaces.takenSlugs',
    text: 'SELECT slug FROM workspaces WHERE team_id = $1 AND slug = ANY ($2::text[]) AND deleted_at IS NULL',
};
const CREATE = {
    name: 'workspaces.create',
    text: `
    INSERT INTO workspaces (team_id, id, name, slug, description, visibility, default_access,
      tree_stamp, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
};
const UPDATE = {
    name: 'workspaces.update',
    text: `
    UPDATE workspaces SET name = coalesce($3, name), slug = coalesce($4, slug),
      description = coalesce($5, description), visibility = coalesce($6, visibility),
      default_access = coalesce($7, default_access), updated_at = $8
    WHERE team_id = $1 AND id = $2`,
};
const COUNT_ITEMS = {
    name: 'workspaces.countItems',
    text: `
    SELECT count(*) FILTER (WHERE object = 'item')::int AS pages,
      count(*) FILTER (WHERE object = 'collection')::int AS collections
    FROM collections WHERE team_id = $1 AND workspace_id = $2`,
};
//# sourceMappingURL=workspaces.repository.js.map