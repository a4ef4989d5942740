import { conflict, unprocessable } from '../errors/domain-error.js';
import { isEqualValue } from './json-equality.js';
import { skipSpace } from './json-grammar.js';
import { endOfValue, isContainer, Members, measure } from './json-members.js';
import { MAX_BYTES, MAX_DEPTH } from './json-text.js';
/**
 * Applies operations to JSON text, in their order, and works on the text itself: no value is built.
 * Hence numbers keep their digits, `__proto__` is a name like any other, and a copy costs its bytes.
 *
 * No library does that. `rfc6902` (5.4) and `immutable-json-patch` (6.0) work on the objects of
 * JSON.parse, which rounds numbers; `rfc6902` drops members named `__proto__` when it copies a value,
 * and `fast-json-patch` (3.1) rejects paths with that name. With the number objects of a lossless
 * parser, their `test` compares digits, not values. None of them bounds a document that doubles with
 * every `copy`.
 *
 * An operation reads the text up to its places once: milliseconds for each MiB. Between two of them,
 * others get their turns.
 * @param text a JSON object within the bounds of content
 * @returns JSON text of an object within these bounds, which hold after each operation
 * @throws DomainError conflict: a `test` fails; unprocessable_entity: a path is not there, the result is
 *   out of bounds
 */
export function* applyPatch(text, operations) {
    let document = text;
    for (const [n, operation] of operations.entries()) {
        document = yield* apply(document, operation, placeOf(n));
        yield;
    }
    return document;
}
/** How messages call an operation: a body that is a list is called `body`. */
export const placeOf = (n) => `body[${n}]`;
function* apply(text, operation, place) {
    const { path } = operation;
    switch (operation.op) {
        case 'test': {
            const target = find(text, path);
            const isEqual = target && (yield* isEqualValue(text, target.value, operation.value.text));
            if (!isEqual)
                throw testFailed(place);
            return text;
        }
        case 'add': {
            const { value } = operation;
            return add(text, path, value.text, value.depth, place);
        }
        case 'replace': {
            const { value } = operation;
            const target = found(text, path, `${place}.path`);
            return put(text, target.value, target.end, value.text, path, value.depth, place);
        }
        case 'remove': {
            const target = found(text, path, `${place}.path`);
            return remove(text, target, place);
        }
        case 'copy':
        case 'move': {
            const source = found(text, operation.from, `${place}.from`);
            yield;
            const value = text.slice(source.value, source.end);
            const isInPlace = path.length === operation.from.length && isWithin(path, operation.from);
            if (operation.op === 'move' && isInPlace)
                return text;
            const rest = operation.op === 'move' ? remove(text, source, place) : text;
            return add(rest, path, value, source.depth, place);
        }
    }
}
/** True if a pointer leads to `outer` or into it. */
export const isWithin = (pointer, outer) => outer.every((name, n) => pointer[n] === name);
/** @returns null if the document has no such value */
function find(text, pointer) {
    let value = skipSpace(text, 0);
    let member = null;
    for (const name of pointer) {
        if (!isContainer(text.charCodeAt(value)))
            return null;
        member = new Members(text, value);
        if (!goTo(member, text, name))
            return null;
        value = member.value;
    }
    return { value, member };
}
function found(text, pointer, field) {
    const target = find(text, pointer);
    if (!target)
        throw notThere(field);
    return { ...target, ...measure(text, target.value) };
}
/** Goes to the member of this name, or the element of this index. @returns false: at the end */
function goTo(members, text, name) {
    if (!members.isObject)
        return members.goToElement(INDEX.test(name) ? Number(name) : -1);
    const quoted = JSON.stringify(name);
    while (members.next()) {
        if (members.hasName(name, quoted))
            return true;
        members.leave(endOfValue(text, members.value));
    }
    return false;
}
const INDEX = /^(?:0|[1-9][0-9]*)$/;
function add(text, path, value, depth, place) {
    const name = path.at(-1);
    if (name === undefined)
        return put(text, 0, text.length, value, path, depth, place);
    const parent = find(text, path.slice(0, -1));
    if (!parent || !isContainer(text.charCodeAt(parent.value)))
        throw notThere(`${place}.path`);
    const members = new Members(text, parent.value);
    const isThere = goTo(members, text, name);
    const { start, isObject, index } = members;
    if (isThere && isObject) {
        const end = endOfValue(text, members.value);
        return put(text, members.value, end, value, path, depth, place);
    }
    if (isThere)
        return put(text, start, start, `${value},`, path, depth, place);
    if (!isObject && name !== '-' && name !== String(index))
        throw notThere(`${place}.path`);
    const member = isObject ? `${JSON.stringify(name)}:${value}` : value;
    return put(text, start, start, index === 0 ? member : `,${member}`, path, depth, place);
}
/** Removes a member, with one of the commas next to it. */
function remove(text, { member, end }, place) {
    if (!member)
        throw notAnObject(place);
    const { start, comma } = member;
    if (comma !== -1)
        return flat(text.slice(0, comma), text.slice(end));
    member.leave(end);
    return flat(text.slice(0, start), text.slice(member.start));
}
/**
 * Replaces a part of the document.
 * @param depth of the value that comes to the place `path`
 * @throws DomainError unprocessable_entity: the document would be out of bounds
 */
function put(text, from, to, by, path, depth, place) {
    if (path.length === 0 && !by.startsWith('{'))
        throw notAnObject(place);
    if (path.length + depth > MAX_DEPTH)
        throw tooDeep(place);
    const result = flat(text.slice(0, from), by, text.slice(to));
    if (isTooLarge(result))
        throw tooLarge(place);
    return result;
}
/** One piece: characters of a text that `+` has put together take several times as long to read. */
const flat = (...parts) => parts.join('');
/** Counts bytes only if the number of characters does not tell. */
const isTooLarge = (text) => text.length > MAX_BYTES || (text.length * 3 > MAX_BYTES && Buffer.byteLength(text) > MAX_BYTES);
/** @param field of an operation, such as `body[3].path` */
export const notThere = (field) => unprocessable(`${field} is not there in the content: read the page again`);
/** @param place of an operation, such as `body[3]` */
export const testFailed = (place) => conflict(`${place}.value is not what the content has at this path: read the page again`);
const notAnObject = (place) => unprocessable(`${place} must leave the content a JSON object`);
const tooDeep = (place) => unprocessable(`${place} must leave the content nested at most ${MAX_DEPTH} deep`);
const tooLarge = (place) => unprocessable(`${place} must leave the content at most 1 MiB of JSON`);
//# sourceMappingURL=json-patch.js.map