import type {
  AccessLevel,
  NewCollection,
  TeamRole,
  Visibility,
  WorkspaceRole,
} from 'teamspaces-client';
import { grants } from './content/grants.js';
import { handbook } from './content/handbook.js';
import { leadership } from './content/leadership.js';
import { product } from './content/product.js';
import { workshop } from './content/workshop.js';

/** Somebody with a token. */
export interface DemoPerson {
  sub: string;
  email: string;
  name: string;
}

/** The one that a development start makes a token for: /docs shows what she sees. */
const ADA = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
const person = (name: string): DemoPerson => {
  const sub = `demo-${name.toLowerCase()}`;
  return { sub, email: `${name.toLowerCase()}@lumen.example`, name };
};
const BEN = person('Ben');
const CLEO = person('Cleo');
const DEV = person('Dev');
const EMMA = person('Emma');
/** Invited, and has not answered yet. */
const FARID = person('Farid');

export const PEOPLE = { ADA, BEN, CLEO, DEV, EMMA, FARID } as const;

export interface DemoTeam {
  name: string;
  slug: string;
  description: string;
  /** Makes the team, and sends its invites. */
  owner: DemoPerson;
  members: { person: DemoPerson; role: TeamRole }[];
  /** Invites that wait. */
  invites: { email: string; role: TeamRole }[];
  workspaces: DemoWorkspace[];
}

export interface DemoWorkspace {
  name: string;
  /** What the service makes of the name. */
  slug: string;
  description: string;
  visibility: Visibility;
  defaultAccess: AccessLevel;
  /** Makes the workspace and its content, and is an editor. */
  creator: DemoPerson;
  members: { person: DemoPerson; role: WorkspaceRole }[];
  content: NewCollection[];
}

/** Everything that the demo makes. */
export const TEAMS: readonly DemoTeam[] = [
  {
    name: 'Lumen Bikes',
    slug: 'lumen-bikes',
    description: 'Electric cargo bikes, made in a former tram depot',
    owner: ADA,
    members: [
      { person: BEN, role: 'moderator' },
      { person: CLEO, role: 'member' },
      { person: DEV, role: 'member' },
      { person: EMMA, role: 'guest' },
    ],
    invites: [
      { email: FARID.email, role: 'member' },
      { email: 'press@lumen.example', role: 'guest' },
    ],
    workspaces: [
      {
        name: 'Handbook',
        slug: 'handbook',
        description: 'How we work: everybody reads, the editors write',
        visibility: 'public',
        defaultAccess: 'read-only',
        creator: ADA,
        members: [
          { person: CLEO, role: 'editor' },
          { person: EMMA, role: 'reader' },
        ],
        content: handbook,
      },
      {
        name: 'Product',
        slug: 'product',
        description: 'What we build next, and why: everybody writes',
        visibility: 'public',
        defaultAccess: 'full',
        creator: BEN,
        members: [],
        content: product,
      },
      {
        name: 'Workshop',
        slug: 'workshop',
        description: 'Notes of the prototype bench, not for all eyes yet',
        visibility: 'private',
        defaultAccess: 'full',
        creator: DEV,
        members: [{ person: CLEO, role: 'reader' }],
        content: workshop,
      },
      {
        name: 'Leadership',
        slug: 'leadership',
        description: 'Board papers and plans',
        visibility: 'private',
        defaultAccess: 'read-only',
        creator: ADA,
        members: [{ person: BEN, role: 'reader' }],
        content: leadership,
      },
    ],
  },
  {
    name: 'Lumen Foundation',
    slug: 'lumen-foundation',
    description: 'Lends cargo bikes to schools and clubs',
    owner: BEN,
    members: [
      { person: ADA, role: 'guest' },
      { person: EMMA, role: 'member' },
    ],
    invites: [{ email: FARID.email, role: 'moderator' }],
    workspaces: [
      {
        name: 'Grants',
        slug: 'grants',
        description: 'Who asked for bikes, and who got them',
        visibility: 'public',
        defaultAccess: 'full',
        creator: BEN,
        members: [{ person: ADA, role: 'reader' }],
        content: grants,
      },
    ],
  },
];
