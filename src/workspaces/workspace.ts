import type { AccessLevel, Visibility } from '../access/roles.js';
import type { TeamRef } from '../teams/team.js';

/** A workspace, as one of those who can see it sees it. */
export interface Workspace {
  id: string;
  teamId: string;
  slug: string;
  name: string;
  description: string;
  visibility: Visibility;
  defaultAccess: AccessLevel;
  createdAt: Date;
  updatedAt: Date;
  /** A random name of the present state of its tree: it changes with every change of the tree. */
  treeStamp: string;
  /** The caller's own access to the content. */
  access: AccessLevel;
}

/** How a request names a workspace. */
export interface WorkspaceRef {
  team: TeamRef;
  slug: string;
}

export interface NewWorkspace {
  name: string;
  description?: string | undefined;
  visibility?: Visibility | undefined;
  defaultAccess?: AccessLevel | undefined;
}

/** What is absent stays. */
export type WorkspaceChanges = Partial<NewWorkspace> & { slug?: string | undefined };
