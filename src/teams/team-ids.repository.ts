import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database/database.js';
import { isPossibleSlug, isUuid } from '../database/ids.js';
import type { TeamRef } from './team.js';

/** Slugs that a process remembers; an entry takes about 200 bytes. */
const REMEMBERED = 20_000;

/**
 * Remembers which team a slug named last, so that reads can name the team by its id: in a database
 * distributed by team only that leads to one node. A slug may pass to another team at any time:
 * a read must check the slug, too, and find nothing where it differs.
 */
@Injectable()
export class TeamIdsRepository {
  private readonly ids = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(private readonly database: Database) {}

  /**
   * Reads something of the team that `ref` names.
   * @param read by the team's id and, where it is not null, its slug; null where no team has both
   * @returns null: no such team
   */
  async resolve<T>(
    ref: TeamRef,
    read: (id: string, slug: string | null) => Promise<T | null>,
  ): Promise<T | null> {
    const { slug, id } = ref;
    if (slug === undefined) return id !== undefined && isUuid(id) ? read(id, null) : null;
    if (!isPossibleSlug(slug)) return null;
    const remembered = this.ids.get(slug);
    const found = remembered === undefined ? null : await read(remembered, slug);
    if (found !== null) return found;
    const current = await this.lookUp(slug);
    return current === null ? null : read(current, slug);
  }

  private async lookUp(slug: string): Promise<string | null> {
    const [team] = await this.database.query<{ id: string }>(LOOK_UP, [slug]);
    if (team) this.ids.set(slug, team.id);
    else this.ids.delete(slug);
    return team?.id ?? null;
  }
}

const LOOK_UP = { name: 'teamIds.lookUp', text: 'SELECT id FROM teams WHERE slug = $1' };
