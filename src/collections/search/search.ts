import type { Ancestor, ObjectKind } from '../items/collection.js';

/** What to look for. */
export interface SearchQuery {
  /** Without white space at its ends. */
  text: string;
  /** null: collections and pages. */
  object: ObjectKind | null;
  limit: number;
}

/** A collection or page that was found. */
export interface SearchHit {
  /** Its JSON as lists show it, without `children` and the closing brace. */
  json: string;
  /** From the top level down. */
  ancestors: readonly Ancestor[];
  workspace: { title: string; slug: string };
}
