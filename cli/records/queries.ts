import { TEAM_ROLES, type TeamRole } from 'teamspaces-service/access/roles';
import { isUuid } from 'teamspaces-service/database/identifiers';
import type { Prisma } from 'teamspaces-service/generated/prisma/client';

// The fields of a row are the columns of the table, and the names in JSON.

type Reads = Prisma.TransactionClient;

/** All teams. */
export const teams = async (db: Reads) =>
  (await db.team.findMany({ include: { usage: true }, orderBy: { slug: 'asc' } })).map(teamRow);

/** The members of a team, highest role first. */
export async function members(db: Reads, teamId: string) {
  const found = await db.teamMember.findMany({
    where: { teamId },
    include: { user: true },
    orderBy: [{ user: { name: 'asc' } }, { userId: 'asc' }],
  });
  return found.map(memberRow).sort((one, other) => rank(other) - rank(one));
}

/** The pending invites of a team, expired ones included, newest first. */
export async function invites(db: Reads, teamId: string) {
  const found = await db.teamInvite.findMany({
    where: { teamId, state: 'pending' },
    include: { inviter: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  const now = await timeOf(db);
  return found.map((row) => inviteRow(row, now));
}

/** The workspaces of a team, those in its trash excluded. */
export async function workspaces(db: Reads, teamId: string) {
  const found = await db.workspace.findMany({
    where: { teamId, deletedAt: null },
    orderBy: { slug: 'asc' },
  });
  const counts = await itemCounts(db, { teamId });
  return found.map((workspace) => workspaceRow(workspace, counts));
}

/** One team, with its owners. */
export async function team(db: Reads, id: string) {
  const isPending = { state: 'pending', expiresAt: { gt: await timeOf(db) } };
  const found = await db.team.findUniqueOrThrow({
    where: { id },
    include: {
      usage: true,
      members: {
        where: { role: 'owner' },
        include: { user: true },
        orderBy: { user: { name: 'asc' } },
      },
      _count: { select: { invites: { where: isPending } } },
    },
  });
  return [
    {
      id,
      ...teamRow(found),
      updatedAt: found.updatedAt,
      description: found.description,
      owners: found.members.map(({ user: { name, email } }) => ({ name, email })),
      pendingInvites: found._count.invites,
    },
  ];
}

/** The members of a team with this id, email or subject, with their workspace roles. */
export async function member(db: Reads, teamId: string, name: string) {
  const found = await db.teamMember.findMany({
    where: {
      teamId,
      OR: [
        { user: { email: name } },
        { user: { subject: name } },
        ...(isUuid(name) ? [{ userId: name }] : []),
      ],
    },
    include: {
      user: true,
      workspaceRoles: {
        where: { workspace: { deletedAt: null } },
        include: { workspace: true },
        orderBy: { workspace: { slug: 'asc' } },
      },
    },
    orderBy: { userId: 'asc' },
  });
  return found.map((one) => ({
    ...memberRow(one),
    workspaceRoles: one.workspaceRoles.map(({ workspace, role }) => ({
      workspace: workspace.slug,
      role,
    })),
  }));
}

/** One invite of a team, whatever its state. */
export async function invite(db: Reads, teamId: string, id: string) {
  if (!isUuid(id)) return [];
  const found = await db.teamInvite.findMany({ where: { teamId, id }, include: { inviter: true } });
  const now = await timeOf(db);
  return found.map((row) => inviteRow(row, now));
}

/** One workspace, with its own members. */
export async function workspace(db: Reads, teamId: string, slug: string) {
  const one = await db.workspace.findFirst({
    where: { teamId, slug, deletedAt: null },
    include: {
      members: {
        include: { member: { include: { user: true } } },
        orderBy: { member: { user: { name: 'asc' } } },
      },
    },
  });
  if (!one) return [];
  const counts = await itemCounts(db, { teamId, workspaceId: one.id });
  const { id, updatedAt, description } = one;
  const people = one.members.map(({ role, member: { user } }) => ({
    name: user.name,
    email: user.email,
    role,
  }));
  return [{ id, ...workspaceRow(one, counts), updatedAt, description, members: people }];
}

const teamRow = (row: Prisma.TeamGetPayload<{ include: { usage: true } }>) => ({
  slug: row.slug,
  name: row.name,
  plan: row.plan,
  members: row.usage?.users,
  workspaces: row.usage?.workspaces,
  collections: row.usage?.collections,
  pages: row.usage?.pages,
  createdAt: row.createdAt,
});

const memberRow = (row: Prisma.TeamMemberGetPayload<{ include: { user: true } }>) => ({
  id: row.userId,
  role: row.role,
  name: row.user.name,
  email: row.user.email,
  issuer: row.user.issuer,
  subject: row.user.subject,
  joinedAt: row.joinedAt,
});

const rank = ({ role }: { role: string }): number => TEAM_ROLES.indexOf(role as TeamRole);

/** By the database's clock, as for the service: that of this machine may be wrong. */
async function timeOf(db: Reads): Promise<Date> {
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT statement_timestamp() AS now`;
  return row.now;
}

const inviteRow = (
  row: Prisma.TeamInviteGetPayload<{ include: { inviter: true } }>,
  now: Date,
) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  state: row.state === 'pending' && row.expiresAt <= now ? 'expired' : row.state,
  invitedBy: row.inviter.name,
  expiresAt: row.expiresAt,
  createdAt: row.createdAt,
});

const itemCounts = (db: Reads, where: Prisma.CollectionWhereInput) =>
  db.collection.groupBy({ by: ['workspaceId', 'object'], where, _count: true });

function workspaceRow(
  row: Prisma.WorkspaceGetPayload<object>,
  counts: Awaited<ReturnType<typeof itemCounts>>,
) {
  const count = (object: string) =>
    counts.find((one) => one.workspaceId === row.id && one.object === object)?._count ?? 0;
  return {
    slug: row.slug,
    name: row.name,
    visibility: row.visibility,
    defaultAccess: row.defaultAccess,
    collections: count('collection'),
    pages: count('item'),
    createdAt: row.createdAt,
  };
}
