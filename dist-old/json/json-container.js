import { CLOSE_LIST, CLOSE_OBJECT, OPEN_OBJECT } from './json-grammar.js';
/** Members of an object that are searched linearly; more are looked up in a map. */
const FEW = 8;
/** An object or a list whose end has not been read. Reused by all on the same level. */
export class Container {
    close = CLOSE_LIST;
    count = 0;
    /** Of an object: the names of its members and where they begin. */
    names = [];
    starts = [];
    places = null;
    begin(open) {
        this.close = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;
        this.count = 0;
        this.places = null;
    }
    /** Adds a member. @returns where an earlier one of the same name begins and ends, or null */
    add(name, start) {
        const earlier = this.find(name);
        this.names[this.count] = name;
        this.starts[this.count] = start;
        this.places?.set(name, this.count);
        this.count++;
        return earlier === -1 ? null : [this.startOf(earlier), this.startOf(earlier + 1)];
    }
    find(name) {
        if (this.count === FEW) {
            this.places = new Map(this.names.slice(0, FEW).map((known, place) => [known, place]));
        }
        if (this.places)
            return this.places.get(name) ?? -1;
        let place = this.count - 1;
        while (place >= 0 && this.names[place] !== name)
            place--;
        return place;
    }
    startOf = (place) => this.starts[place];
}
/** Parts that are omitted from a text; they may be nested. */
export class Ranges {
    /** Ends, by starts. */
    ends = new Map();
    latest = { start: -1, end: -1 };
    get isEmpty() {
        return this.ends.size === 0;
    }
    add(start, end) {
        // A part that follows the latest one is merged with it.
        this.latest = { start: this.latest.end === start ? this.latest.start : start, end };
        this.ends.set(this.latest.start, end);
    }
    /** The text from `start` to `end` without these parts. */
    *leftOut(text, start, end) {
        const kept = [];
        let from = start;
        // Numbers sort in a third of the time that pairs take.
        const begins = Float64Array.from(this.ends.keys()).sort();
        yield;
        for (const begin of begins) {
            // A nested part is omitted with the outer one.
            if (begin < from)
                continue;
            kept.push(text.slice(from, begin));
            from = this.ends.get(begin);
        }
        kept.push(text.slice(from, end));
        yield;
        return kept.join('');
    }
}
//# sourceMappingURL=json-container.js.map