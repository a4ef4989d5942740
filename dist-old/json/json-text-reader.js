import { Container, Ranges } from './json-container.js';
import { BACKSLASH, CLOSE_OBJECT, COLON, COMMA, hexadecimal, isDigit, MINUS, notJson, numberAt, OPEN_LIST, OPEN_OBJECT, PORTION, QUOTE, skipSpace, } from './json-grammar.js';
import { JsonText } from './json-text.js';
/**
 * Reads a value without building it, so that the time depends only on the length of the text. Long
 * texts are read in portions.
 */
export class JsonTextReader {
    text;
    start;
    depth;
    containers = [];
    pieces = [];
    /** Everything before this is in `pieces`, or omitted. */
    copied;
    problem = null;
    deepest = 0;
    /** Members that are repeated later. */
    repeated = new Ranges();
    /**
     * @param start where the value begins
     * @param depth what it is in
     */
    constructor(text, start, depth) {
        this.text = text;
        this.start = start;
        this.depth = depth;
        this.copied = start;
    }
    /** @throws DomainError bad_request: not JSON, or nested too deep */
    *read() {
        const end = yield* this.walk();
        if (!this.repeated.isEmpty) {
            // If a name is repeated, the last value wins: problems of the earlier ones do not matter.
            yield;
            const once = yield* this.repeated.leftOut(this.text, this.start, end);
            yield;
            const { value } = yield* new JsonTextReader(once, 0, this.depth).read();
            return { value, end };
        }
        this.pieces.push(this.text.slice(this.copied, end));
        const text = this.pieces.length === 1 ? this.pieces[0] : this.pieces.join('');
        return { value: new JsonText(text, this.problem, this.deepest), end };
    }
    /** Without recursion: the input decides the depth. @returns where the value ends */
    *walk() {
        const { text } = this;
        let level = 0;
        let container = this.containerOf(level);
        let pause = this.start + PORTION;
        for (let at = this.start;;) {
            if (at >= pause) {
                this.pieces = [this.pieces.join('')];
                yield;
                pause = at + PORTION;
            }
            if (container.close === CLOSE_OBJECT) {
                if (text.charCodeAt(at) !== QUOTE)
                    throw notJson();
                const end = this.string(at);
                at = this.member(container, at, end < 0 ? yield* this.restOfString(-end) : end);
            }
            const char = text.charCodeAt(at);
            if (char === OPEN_OBJECT || char === OPEN_LIST) {
                this.depth.open(char);
                container = this.containerOf(++level);
                container.begin(char);
                at = this.space(at + 1);
                if (text.charCodeAt(at) !== container.close)
                    continue;
            }
            else if (char === QUOTE) {
                const end = this.string(at);
                const after = end < 0 ? yield* this.restOfString(-end) : end;
                if (level === 0)
                    return after;
                at = this.space(after);
            }
            else {
                const end = this.scalar(at, char);
                if (level === 0)
                    return end;
                at = this.space(end);
            }
            while (text.charCodeAt(at) === container.close) {
                this.depth.close(container.close);
                if (--level === 0)
                    return at + 1;
                container = this.containerOf(level);
                at = this.space(at + 1);
            }
            if (text.charCodeAt(at) !== COMMA)
                throw notJson();
            at = this.space(at + 1);
        }
    }
    containerOf(level) {
        if (level > this.deepest)
            this.deepest = level;
        this.containers[level] ??= new Container();
        return this.containers[level];
    }
    /** Adds the member whose name ends there. @returns where its value begins */
    member(container, at, end) {
        const written = this.text.slice(at, end);
        // One name can be written in several ways.
        const name = written.includes('\\') ? JSON.stringify(JSON.parse(written)) : written;
        const earlier = container.add(name, at);
        if (earlier)
            this.repeated.add(...earlier);
        const colon = this.space(end);
        if (this.text.charCodeAt(colon) !== COLON)
            throw notJson();
        return this.space(colon + 1);
    }
    scalar(at, char) {
        if (char === MINUS || isDigit(char))
            return this.number(at);
        const word = char === 0x74 ? 'true' : char === 0x66 ? 'false' : 'null';
        if (!this.text.startsWith(word, at))
            throw notJson();
        return at + word.length;
    }
    /** Where a string ends; if it is longer than a portion, how far it was read, as a negative number. */
    string(quote) {
        const at = this.characters(quote + 1, PORTION);
        return this.text.charCodeAt(at) === QUOTE ? at + 1 : -at;
    }
    *restOfString(start) {
        for (let at = start;; at = this.characters(at, PORTION)) {
            if (this.text.charCodeAt(at) === QUOTE)
                return at + 1;
            this.pieces = [this.pieces.join('')];
            yield;
        }
    }
    /** Continues in a string, up to its closing quote or this many characters. */
    characters(start, most) {
        let at = start;
        while (at < start + most) {
            const char = this.text.charCodeAt(at);
            if (char === QUOTE)
                return at;
            if (char === BACKSLASH)
                at = this.escape(at);
            // Also where the text ends: NaN.
            else if (!(char >= 0x20))
                throw notJson();
            else
                at++;
        }
        return at;
    }
    /** Writes a character that need not be escaped as itself, so that its bytes count. */
    escape(at) {
        const kind = this.text.charAt(at + 1);
        if (kind !== 'u') {
            if (kind === '' || !'"\\/bfnrt'.includes(kind))
                throw notJson();
            return at + 2;
        }
        const unit = hexadecimal(this.text, at + 2);
        const isHigh = unit >= 0xd800 && unit < 0xdc00;
        if (isHigh && this.text.startsWith('\\u', at + 6)) {
            const low = hexadecimal(this.text, at + 8);
            if (low >= 0xdc00 && low < 0xe000) {
                this.replace(at, at + 12, String.fromCharCode(unit, low));
                return at + 12;
            }
        }
        const isSurrogate = unit >= 0xd800 && unit < 0xe000;
        if (isSurrogate)
            this.problem ??= 'must be well-formed Unicode, without lone surrogates';
        else if (unit === 0)
            this.problem ??= 'must not contain the character NUL';
        else if (unit >= 0x20 && unit !== QUOTE && unit !== BACKSLASH) {
            this.replace(at, at + 6, String.fromCharCode(unit));
        }
        return at + 6;
    }
    number(start) {
        const { end, isInfinite } = numberAt(this.text, start);
        if (isInfinite)
            this.problem ??= 'must not hold a number beyond 1.8e308';
        return end;
    }
    /** Omits white space. */
    space(at) {
        const end = skipSpace(this.text, at);
        if (end > at)
            this.replace(at, end, '');
        return end;
    }
    replace(from, to, by) {
        if (from > this.copied)
            this.pieces.push(this.text.slice(this.copied, from));
        if (by !== '')
            this.pieces.push(by);
        this.copied = to;
    }
}
//# sourceMappingURL=json-text-reader.js.map