import type { WorkspaceRole } from '../../access/roles.js';

/** Someone with a role of their own in a workspace. */
export interface WorkspaceMember {
  id: string;
  name: string;
  email: string;
  /** Address of a picture. */
  image: string | null;
  role: WorkspaceRole;
}

/** A team member to be given a role in a workspace. */
export interface NewWorkspaceMember {
  email: string;
  role: WorkspaceRole;
}
