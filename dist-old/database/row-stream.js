import pg from 'pg';
import { TIMEOUTS } from './timeouts.js';
/**
 * The rows of a statement, as many at a time as have arrived. While the reader is busy with them,
 * nothing is taken from the connection, so that PostgreSQL waits, too: what is in memory is one row
 * and what the socket reads in one go. A reader that stops early leaves the connection unusable.
 */
export async function* streamRows(client, given) {
    const { stream } = client.connection;
    let rows = [];
    let failure = null;
    let isOver = false;
    let wake = () => undefined;
    const query = new pg.Query(given);
    query.on('row', (row) => {
        rows.push(row);
        wake();
    });
    query.on('error', (error) => {
        failure = error;
        isOver = true;
        wake();
    });
    query.on('end', () => {
        isOver = true;
        wake();
    });
    client.query(query);
    while (!isOver || rows.length > 0) {
        if (rows.length === 0) {
            await new Promise((resolve) => {
                wake = resolve;
            });
            continue;
        }
        const arrived = rows;
        rows = [];
        stream.pause();
        // Nobody listens to the server now: it is not silent.
        stream.setTimeout(0);
        yield arrived;
        stream.setTimeout(TIMEOUTS.answer);
        stream.resume();
    }
    if (failure)
        throw failure;
}
//# sourceMappingURL=row-stream.js.map