/** Members that one call adds to a workspace at most. */
export const MAX_ADDED = 100;
