// The bounds of a name or a slug are in validation/fields.ts.

/** Members that one call adds to a workspace at most. */
export const MAX_ADDED = 100;
