import { createHash } from 'node:crypto';
/** Combinations by the names of their parts: there are as many as kinds of commands. */
const combinations = new Map();
/**
 * Reads put together into one statement: one snapshot for all of them, and a fraction of the cost of
 * sending each. They share their first `shared` parameters, and end in no semicolon or comment.
 */
export function combineReads(statements, shared) {
    const key = statements.map(([{ name }]) => name).join(' ');
    let combined = combinations.get(key);
    if (!combined) {
        // PostgreSQL takes names of 63 bytes.
        const name = `reads.${createHash('sha1').update(key).digest('base64url')}`;
        combined = { name, text: combinedText(statements, shared) };
        combinations.set(key, combined);
    }
    const values = statements[0]?.[1].slice(0, shared) ?? [];
    return [combined, values.concat(...statements.map(([, own]) => own.slice(shared)))];
}
function combinedText(statements, shared) {
    let offset = 0;
    const texts = statements.map(([{ text }, values], part) => {
        const numbered = text.replace(/\$(\d+)/g, (parameter, digits) => Number(digits) <= shared ? parameter : `$${Number(digits) + offset}`);
        offset += values.length - shared;
        return `SELECT ${part} AS part, to_json(found) AS row FROM (${numbered}) AS found`;
    });
    return texts.join('\nUNION ALL\n');
}
/** The rows of each of `count` reads, from what their combination returns; times come as text. */
export function separateReads(rows, count) {
    const separate = Array.from({ length: count }, () => []);
    for (const { part, row } of rows)
        separate[part]?.push(row);
    return separate;
}
//# sourceMappingURL=combined-read.js.map