import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../../database/database.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';

/** Those who ask wait for nobody's team: on a distributed database every node is asked once. */
const FIND: PreparedStatement = {
  name: 'changes.treeStamps',
  text: `
    SELECT w.id, w.tree_stamp FROM unnest($1::uuid[], $2::uuid[]) AS asked (team_id, id)
    JOIN workspaces w
      ON w.team_id = asked.team_id AND w.id = asked.id AND num_nulls(w.deleted_at) = 1`,
  many: true,
};

/** Reads the present stamps of trees. */
@Injectable()
export class TreeStampsRepository {
  constructor(private readonly database: Database) {}

  /** The stamps by the id of the workspace, as far as it exists: one statement, however many. */
  async find(workspaces: readonly WorkspaceKey[]): Promise<ReadonlyMap<string, string>> {
    const values = [workspaces.map(({ teamId }) => teamId), workspaces.map(({ id }) => id)];
    const rows = await this.database.query<{ id: string; tree_stamp: string }>(FIND, values);
    return new Map(rows.map(({ id, tree_stamp }) => [id, tree_stamp]));
  }
}
