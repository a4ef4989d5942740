/** Most bytes and levels of content. */
export const MAX_BYTES = 1024 * 1024;
export const MAX_DEPTH = 64;
/** A value of a body that stays JSON text and is never parsed. */
export class JsonText {
    text;
    problem;
    depth;
    constructor(
    /** Without white space and without repeated members; numbers keep their digits. */
    text, 
    /** The problem with it that no content may have, such as the character NUL, or null. */
    problem, 
    /** Levels of objects and lists; 0 for any other value. */
    depth) {
        this.text = text;
        this.problem = problem;
        this.depth = depth;
    }
    /** The problem with it as the content of a page, such as `must be a JSON object`, or null. */
    get problemAsContent() {
        if (!this.text.startsWith('{'))
            return 'must be a JSON object';
        if (this.depth > MAX_DEPTH)
            return `must be nested at most ${MAX_DEPTH} deep`;
        if (this.problem)
            return this.problem;
        return Buffer.byteLength(this.text) > MAX_BYTES ? 'must be at most 1 MiB of JSON' : null;
    }
}
//# sourceMappingURL=json-text.js.map