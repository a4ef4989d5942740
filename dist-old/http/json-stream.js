import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Header } from '@nestjs/common';
/** For a handler that returns JSON text. */
export const JsonText = () => Header('content-type', 'application/json; charset=utf-8');
/** Pieces that are joined at once, and characters of one write. */
const PIECES_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 65_536;
/** Milliseconds after which an unread stream is closed. */
const UNREAD = 15_000;
/** A body of pieces; other requests are processed in between. */
export async function bodyOf(pieces) {
    let text = '';
    let count = 0;
    for (const piece of pieces) {
        text += piece;
        if (++count % PIECES_AT_ONCE === 0)
            await nextTurn();
    }
    // At once: chunks and their copy would take three times the memory, which malloc keeps.
    return Buffer.from(text);
}
/**
 * A body of any size, generated while it is sent: each piece is requested after the earlier ones
 * were written.
 * @param close frees the source of the pieces; called once, however the response ends, even if nobody reads it
 */
export function streamOf(pieces, close) {
    const unread = setTimeout(() => stream.destroy(), UNREAD).unref();
    const stream = Readable.from(chunksOf(pieces, () => clearTimeout(unread)), { objectMode: false });
    stream.once('close', () => {
        clearTimeout(unread);
        close();
    });
    return stream;
}
async function* chunksOf(pieces, onRead) {
    onRead();
    let text = '';
    for await (const piece of pieces) {
        text += piece;
        if (text.length < CHARACTERS_AT_ONCE)
            continue;
        yield Buffer.from(text);
        text = '';
        await nextTurn();
    }
    yield Buffer.from(text);
}
//# sourceMappingURL=json-stream.js.map