import type { Visibility } from '../../access/roles.js';
import type { FoundWorkspace } from '../workspace.js';

/** A workspace as the trash of its team shows it. */
export interface ListedWorkspaceDeletion {
  id: string;
  name: string;
  description: string;
  /** The slug that it had; another workspace may have it now. */
  slug: string;
  visibility: Visibility;
  /** In its tree. */
  pages: number;
  deletedAt: Date;
  /** null: it is not known who. */
  deletedBy: { id: string; name: string } | null;
  /** From then on it is gone for good. */
  expiresAt: Date;
}

/** A workspace in the trash, and what its restoration depends on. */
export interface FoundWorkspaceDeletion extends FoundWorkspace {
  /** In its tree. */
  pages: number;
  collections: number;
  /** True: another workspace has its slug now. */
  isSlugTaken: boolean;
}
