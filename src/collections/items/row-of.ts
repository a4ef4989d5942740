/**
 * The row of `collections` of a team with an id, as a subquery. The range with its order means `=`, and
 * only the primary key serves it: in a table that was never analyzed, the planner would rather walk all
 * rows of the team for an array of ids or a join.
 */
export const rowOf = (id: string, columns = '*', team = '$1'): string => `
        SELECT ${columns} FROM collections c
        WHERE c.team_id = ${team} AND c.id >= ${id} AND c.id <= ${id}
        ORDER BY c.team_id, c.id LIMIT 1`;

/** The rows of the items with the ids of an array, each looked up by itself, as `c`. */
export const itemsOf = (
  ids: string,
  columns = '*',
): string => `unnest(${ids}::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (${rowOf('wanted.item', columns)}
      ) AS c`;
