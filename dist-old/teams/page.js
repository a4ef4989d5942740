/** Rows that are read together with the reads of others; more are read in portions. */
const FEW = 100;
/**
 * Reads a page. A list of which nobody knows how long it is is read as if it were short, and again if
 * it is not.
 * @param read runs a statement whose last parameters are these: a position (two) and the most rows
 */
export async function readPage(page, read) {
    const positionOf = ({ at, id }) => ({ at, id });
    const { limit, after } = page;
    const from = [after?.at ?? null, after?.id ?? null];
    const isShort = limit !== undefined && limit <= FEW;
    // One more than asked for tells whether the list goes on.
    const rows = await read([...from, isShort ? limit + 1 : FEW + 1], false);
    if (isShort || rows.length <= FEW)
        return pageOf(rows, page, positionOf);
    const most = limit === undefined ? null : limit + 1;
    return pageOf(await read([...from, most], true), page, positionOf);
}
/** Makes a page of rows, of which one more was read than asked for. */
export function pageOf(rows, { limit = rows.length }, positionOf) {
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, next: rows.length > limit && last ? positionOf(last) : null };
}
//# sourceMappingURL=page.js.map