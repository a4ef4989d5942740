import { badRequest } from '../errors/domain-error.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, Depth, endOfString, notJson, OPEN_LIST, OPEN_OBJECT, PORTION, QUOTE, skipSpace, } from './json-grammar.js';
import { isContainer } from './json-members.js';
import { JsonTextReader } from './json-text-reader.js';
/**
 * Objects, lists and commas of a body. The largest requests have 10,000 of them; JSON.parse takes
 * up to 2 µs for each.
 */
const MAX_PARTS = 25_000;
/** Names of values that stay text: objects and lists only, or all values. */
const opaqueNames = new Map();
/**
 * Turns objects and lists with this name into JsonTexts, anywhere in a body: the name has this
 * meaning in every request class.
 * @param which `all`: strings, numbers, true, false and null, too
 */
export function keepAsText(name, which = 'containers') {
    opaqueNames.set(name, which);
}
/**
 * Reads a body, a long one in portions: whatever 2 MiB contain, none takes 100 ms of processor
 * time. A scanner cuts out the values that stay text; the rest is small, and JSON.parse parses it.
 * @throws DomainError bad_request: not JSON, nested too deep, too many values
 */
export function* readJson(text) {
    const { outline, texts } = yield* cutTexts(text);
    if (text.length > PORTION)
        yield;
    try {
        if (texts.length === 0)
            return JSON.parse(outline);
        // A list with such a name is a placeholder of the scanner.
        return JSON.parse(outline, (name, value) => opaqueNames.has(name) && Array.isArray(value) ? texts[value[0]] : value);
    }
    catch {
        throw notJson();
    }
}
/** Replaces each value that stays text by a list of one number: its index among the texts. */
function* cutTexts(text) {
    const texts = [];
    let outline = '';
    let copied = 0;
    const depth = new Depth();
    let parts = 0;
    let pause = PORTION;
    for (let at = 0; at < text.length; at++) {
        if (at >= pause) {
            yield;
            pause = at + PORTION;
        }
        const char = text.charCodeAt(at);
        if (char === QUOTE) {
            const end = endOfString(text, at);
            const value = opaqueValueAt(text, at, end);
            if (value === -1) {
                at = end - 1;
                continue;
            }
            const read = yield* new JsonTextReader(text, value, depth).read();
            outline += `${text.slice(copied, value)}[${texts.length}]`;
            texts.push(read.value);
            copied = read.end;
            at = read.end - 1;
        }
        else if (char === OPEN_OBJECT || char === OPEN_LIST)
            depth.open(char);
        else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
            depth.close(char);
            continue;
        }
        else if (char !== COMMA)
            continue;
        if (++parts > MAX_PARTS) {
            throw badRequest(`the body must hold at most ${MAX_PARTS} objects, lists and commas outside content`);
        }
    }
    return { outline: outline + text.slice(copied), texts };
}
/** Where the value that stays text begins, if this string is its name; otherwise -1. */
function opaqueValueAt(text, quote, end) {
    const colon = skipSpace(text, end);
    if (text.charCodeAt(colon) !== COLON)
        return -1;
    const value = skipSpace(text, colon + 1);
    const char = text.charCodeAt(value);
    const which = opaqueNames.get(nameOf(text.slice(quote, end)));
    const isOpaque = which === 'all' || (which !== undefined && isContainer(char));
    return isOpaque ? value : -1;
}
/** A name can be written with escapes. */
function nameOf(written) {
    if (!written.includes('\\'))
        return written.slice(1, -1);
    try {
        return JSON.parse(written);
    }
    catch {
        throw notJson();
    }
}
//# sourceMappingURL=json-reader.js.map