import type { ObjectKind } from '../items/collection.js';
import type { Deletion } from '../subtrees/subtree-rules.js';

/** A deletion as the trash shows it. */
export interface ListedDeletion {
  /** The deleted item's. */
  id: string;
  name: string;
  object: ObjectKind;
  /** The parent that the item had; null: top level. */
  parentId: string | null;
  /** What the deletion holds, the item included. */
  pages: number;
  collections: number;
  deletedAt: Date;
  /** null: it is not known who. */
  deletedBy: { id: string; name: string } | null;
  /** From then on it is gone for good. */
  expiresAt: Date;
}

/** A deletion that can be restored, and what its team has room for. */
export interface FoundDeletion {
  deletion: Deletion;
  plan: string;
  usage: { pages: number; collections: number };
}
