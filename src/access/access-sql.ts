// What decide() says, in SQL: for statements that leave out what the caller may not have. `w` is a workspace, `wm.role`
// the caller's role in it, and `tm.role` that in its team. A test compares each condition with decide() for all roles,
// settings and states.

/** Whether a workspace is outside the trash, where it may be read. */
export const IS_ALIVE = 'w.deleted_at IS NULL';

/**
 * The same of a workspace that its id finds. An index that leaves out the deleted ones must not look useful there: the
 * planner would read all workspaces of the team.
 */
export const IS_ALIVE_BY_ID = 'num_nulls(w.deleted_at) = 1';

/** Whether the caller may read it. Nothing of a hidden one is read, so that the time until 404 tells nothing. */
export const MAY_READ = "(wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')";

/** Whether the caller may manage it, and so restore it from the trash. */
export const MAY_MANAGE =
  "(coalesce(wm.role = 'editor', false) OR w.visibility = 'public' AND tm.role IN ('moderator', 'owner'))";

/** Whether a member or above may read it without a role in it. */
export const isOpen = (visibility: string): string => `${visibility} = 'public'`;

/**
 * Whether a member or above may read it. A guest may not read all of these: use it only for owners, or if decide()
 * follows.
 * @param of the row with its visibility
 * @param role the row with the caller's role in it
 */
export const isListed = (of: string, role: string): string =>
  `(${isOpen(`${of}.visibility`)} OR ${role}.role IS NOT NULL)`;

/** Whether the caller may read the audit log of the team. */
export const MAY_READ_AUDIT_LOG = "tm.role = 'owner'";
