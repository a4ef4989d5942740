import type { TeamRole } from '../../access/roles.js';

/** Someone in a team. */
export interface TeamMember {
  id: string;
  name: string;
  email: string;
  /** Address of a picture. */
  image: string | null;
  role: TeamRole;
}
