import { createHash } from 'node:crypto';
/** Texts that get a name, at most: Prisma writes some eighty of them for this service. */
const MOST = 300;
/**
 * What Prisma writes in a text for each length of a list: `IN ($1,$2,…)`, rows of VALUES, chains of
 * OR. A connection keeps each named statement with its plan for as long as it lives, so that a name
 * for each length would fill PostgreSQL's memory.
 */
const LIST = / IN \((?:\w+\()?\$\d+\)?,|\),\(\$\d|\$(?:2[1-9]|[3-9]\d|\d{3,})\b/;
const names = new Map();
/**
 * Names a statement of Prisma's by its text, so that PostgreSQL parses and plans it once for each
 * connection; '' where it is to be planned each time.
 */
export function statementName(sql) {
    const known = names.get(sql);
    if (known !== undefined)
        return known;
    if (names.size >= MOST || LIST.test(sql))
        return '';
    const name = `p${createHash('sha1').update(sql).digest('base64url')}`;
    names.set(sql, name);
    return name;
}
//# sourceMappingURL=statement-names.js.map