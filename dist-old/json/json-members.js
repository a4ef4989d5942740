import { CLOSE_LIST, CLOSE_OBJECT, COMMA, endOfString, OPEN_LIST, OPEN_OBJECT, QUOTE, skipSpace, } from './json-grammar.js';
// Ways through text that is known to be JSON: nothing is built, so no name is special and no digit is
// lost.
export const isContainer = (char) => char === OPEN_OBJECT || char === OPEN_LIST;
/** Where the value that begins at `start` ends. */
export function endOfValue(text, start) {
    const first = text.charCodeAt(start);
    if (first === QUOTE)
        return endOfString(text, start);
    return isContainer(first) ? measure(text, start).end : endOfWord(text, start);
}
export function measure(text, start) {
    if (!isContainer(text.charCodeAt(start)))
        return { end: endOfValue(text, start), depth: 0 };
    let level = 0;
    let depth = 0;
    for (let at = start; at < text.length; at++) {
        const char = text.charCodeAt(at);
        if (char === QUOTE)
            at = endOfString(text, at) - 1;
        else if (isContainer(char)) {
            level++;
            if (level > depth)
                depth = level;
        }
        else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
            if (--level === 0)
                return { end: at + 1, depth };
        }
    }
    throw new Error('the text ends within a value');
}
/** The position after a number, true, false or null. */
function endOfWord(text, start) {
    let at = start;
    for (; at < text.length; at++) {
        const char = text.charCodeAt(at);
        if (char === COMMA || char === CLOSE_LIST || char === CLOSE_OBJECT || char <= 0x20)
            break;
    }
    return at;
}
/** Visits the members of an object, or the elements of a list, one after the other. */
export class Members {
    text;
    /** Where the current member begins (with its name), and where its value does. */
    start;
    value;
    /** How many members there are before the current one. */
    index = -1;
    /** Where the comma before the current member is; -1: it is the first one. */
    comma = -1;
    isObject;
    endOfName = 0;
    /** The next backslash from the current member on: most names have none. */
    backslash = -1;
    /** @param open where the object or list begins */
    constructor(text, open) {
        this.text = text;
        this.isObject = text.charCodeAt(open) === OPEN_OBJECT;
        this.start = skipSpace(text, open + 1);
        this.value = this.start;
    }
    /** Goes to the next member. @returns false if there is none: then `start` is the closing bracket */
    next() {
        const { text } = this;
        this.index++;
        const char = text.charCodeAt(this.start);
        if (char === CLOSE_OBJECT || char === CLOSE_LIST)
            return false;
        this.value = this.start;
        if (!this.isObject)
            return true;
        this.endOfName = endOfString(text, this.start);
        this.value = skipSpace(text, skipSpace(text, this.endOfName) + 1);
        return true;
    }
    /** The name of the current member. */
    get name() {
        const written = this.text.slice(this.start, this.endOfName);
        return this.isEscaped() ? JSON.parse(written) : written.slice(1, -1);
    }
    /** Whether the current member has this name. Makes no string of its own unless it is escaped. */
    hasName(name, quoted = JSON.stringify(name)) {
        const length = this.endOfName - this.start;
        if (length === quoted.length && this.text.startsWith(quoted, this.start))
            return true;
        return this.isEscaped() && this.name === name;
    }
    isEscaped() {
        if (this.backslash < this.start) {
            const next = this.text.indexOf('\\', this.start);
            this.backslash = next === -1 ? this.text.length : next;
        }
        return this.backslash < this.endOfName;
    }
    /**
     * Goes to an element of a list, from before the first one on. A loop of its own: a call for each
     * element takes up to twice as long if the elements are short.
     * @returns false if there is none: then `start` is the closing bracket, `index` the number of elements
     */
    goToElement(wanted) {
        if (!this.next())
            return false;
        const { text } = this;
        let { index, comma } = this;
        let at = this.start;
        for (let level = 0; index !== wanted && level >= 0; at++) {
            const char = text.charCodeAt(at);
            if (char === QUOTE)
                at = endOfString(text, at) - 1;
            else if (isContainer(char))
                level++;
            else if (char === CLOSE_LIST || char === CLOSE_OBJECT)
                level--;
            else if (char === COMMA && level === 0) {
                comma = at;
                index++;
            }
            else if (at >= text.length)
                throw new Error('the text ends within a list');
        }
        this.comma = comma;
        const isThere = index === wanted;
        this.index = isThere ? index : index + 1;
        this.start = isThere ? skipSpace(text, at) : at - 1;
        this.value = this.start;
        return isThere;
    }
    /** Leaves the current member, whose value ends there. */
    leave(end) {
        const at = skipSpace(this.text, end);
        const isLast = this.text.charCodeAt(at) !== COMMA;
        if (!isLast)
            this.comma = at;
        this.start = isLast ? at : skipSpace(this.text, at + 1);
    }
}
//# sourceMappingURL=json-members.js.map