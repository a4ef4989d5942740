import { connect } from '../../database/connection.js';
import { TEAM_ID } from './queries.js';
import { inColumns, inLines } from './text.js';
/** Prints the rows of a statement: a table, or a JSON array. @throws Error there is no such team */
export async function list(text, request) {
    const rows = await read(text, request, []);
    if (request.json)
        console.log(JSON.stringify(rows, null, 2));
    else if (rows.length > 0)
        console.log(inColumns(rows));
}
/**
 * Prints one record: a line for each field, or a JSON object.
 * @param name what names it in its team; null: it is the team
 * @throws Error there is no such record, or more than one
 */
export async function show({ text, record }, name, request) {
    const rows = await read(text, request, name === null ? [] : [name]);
    const [row] = rows;
    if (!row)
        throw new Error(`The team "${request.team}" has no ${record} "${name}".`);
    if (rows.length > 1) {
        const ids = rows.map(({ id }) => id).join(', ');
        throw new Error(`"${name}" is not unique: name one of them by its id: ${ids}.`);
    }
    console.log(request.json ? JSON.stringify(row, null, 2) : inLines(row));
}
async function read(text, { databaseUrl, team }, more) {
    const client = await connect(databaseUrl, 'records');
    try {
        if (team === null)
            return (await client.query(text)).rows;
        const [found] = (await client.query(TEAM_ID, [team])).rows;
        if (!found)
            throw new Error(`There is no team with the slug "${team}".`);
        return (await client.query(text, [found.id, ...more])).rows;
    }
    finally {
        await client.end();
    }
}
//# sourceMappingURL=records.js.map