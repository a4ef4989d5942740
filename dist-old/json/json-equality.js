import { isDigit, MINUS, PORTION, QUOTE } from './json-grammar.js';
import { endOfValue, isContainer, Members } from './json-members.js';
import { isEqualNumber } from './json-number.js';
/**
 * Compares two values as RFC 6902, section 4.6, says: numbers by value, objects without regard to the
 * order of their members.
 * @param start where the first value begins in `text`
 * @param expected JSON text of the second value
 */
export function* isEqualValue(text, start, expected) {
    return (yield* endOfEqual(text, start, yield* parse(expected))) !== -1;
}
/** Without recursion, so that a long text can be read in portions. */
function* parse(text) {
    if (!isContainer(text.charCodeAt(0)))
        return text;
    const levels = [begin(text, 0)];
    let pause = PORTION;
    for (;;) {
        const level = levels.at(-1);
        const { members } = level;
        if (!members.next()) {
            levels.pop();
            const parent = levels.at(-1);
            if (!parent)
                return level.value;
            parent.members.leave(members.start + 1);
            continue;
        }
        const at = members.value;
        if (isContainer(text.charCodeAt(at))) {
            const child = begin(text, at);
            put(level, child.value);
            levels.push(child);
        }
        else {
            const end = endOfValue(text, at);
            put(level, text.slice(at, end));
            members.leave(end);
        }
        if (at < pause)
            continue;
        yield;
        pause = at + PORTION;
    }
}
function begin(text, at) {
    const members = new Members(text, at);
    return { members, value: members.isObject ? new Map() : [] };
}
function put({ members, value }, child) {
    if (Array.isArray(value))
        value.push(child);
    else
        value.set(members.name, child);
}
/** Where the value that begins at `start` ends, if it equals the expected one; otherwise -1. */
function* endOfEqual(text, start, expected, turn = { end: start + PORTION }) {
    const isScalar = !isContainer(text.charCodeAt(start));
    if (isScalar || typeof expected === 'string') {
        if (!isScalar || typeof expected !== 'string')
            return -1;
        const end = endOfValue(text, start);
        return isEqualScalar(text.slice(start, end), expected) ? end : -1;
    }
    const members = new Members(text, start);
    if (members.isObject === Array.isArray(expected))
        return -1;
    while (members.next()) {
        const child = Array.isArray(expected) ? expected[members.index] : expected.get(members.name);
        if (child === undefined)
            return -1;
        const end = yield* endOfEqual(text, members.value, child, turn);
        if (end === -1)
            return -1;
        members.leave(end);
        if (end < turn.end)
            continue;
        yield;
        turn.end = end + PORTION;
    }
    const size = Array.isArray(expected) ? expected.length : expected.size;
    return members.index === size ? members.start + 1 : -1;
}
function isEqualScalar(a, b) {
    if (a === b)
        return true;
    const [first, second] = [a.charCodeAt(0), b.charCodeAt(0)];
    if (isNumber(first) && isNumber(second))
        return isEqualNumber(a, b);
    const mayEqual = first === QUOTE && second === QUOTE && (a.includes('\\') || b.includes('\\'));
    return mayEqual && JSON.parse(a) === JSON.parse(b);
}
const isNumber = (char) => char === MINUS || isDigit(char);
//# sourceMappingURL=json-equality.js.map