import { getMetadataStorage } from 'class-validator';
import { badRequest, unprocessable } from '../errors/domain-error.js';
import { JsonText } from '../json/json-text.js';
/** Name of the constraint that holds a List. */
export const LIST = 'list';
/** At most this many problems are listed in one message. */
export const MOST_PROBLEMS = 3;
/**
 * Most objects and lists in a body. class-transformer and class-validator walk undeclared objects, too:
 * 12,000 objects in the place of ids took up to 111 ms of CPU. The largest valid body has about 2,010:
 * 1,000 items, each with a list of children.
 */
const MOST_OBJECTS = 2_500;
const NONE = new Map();
const known = new WeakMap();
/** The fields that the decorators of a request class declare; none if it has no decorators. */
export function fieldsOf(requestClass) {
    const before = known.get(requestClass);
    if (before)
        return before;
    const fields = new Map();
    const all = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
    for (const { propertyName, name, constraints } of all) {
        const list = name === LIST ? constraints[0] : fields.get(propertyName);
        fields.set(propertyName, list ?? null);
    }
    known.set(requestClass, fields);
    return fields;
}
/**
 * Rejects what must not reach class-transformer and class-validator, which accept an input of any size
 * and depth: a body that is not an object, more than MOST_OBJECTS objects and lists, lists beyond their
 * bounds, and names that every JavaScript object has (`constructor`), by which class-transformer chooses
 * a class. Walks without recursion.
 * @returns how many objects and lists the body holds
 * @throws DomainError bad_request, or unprocessable_entity if lists are nested too deep: the first
 *   problem, with its place
 */
export function checkStructure(requestClass, body) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw badRequest('the body must be a JSON object');
    }
    const unchecked = [
        { value: body, place: '', type: requestClass, budget: null, level: 0 },
    ];
    let objects = 1;
    const add = (inner, outer) => {
        if (++objects > MOST_OBJECTS)
            throw tooManyObjects(outer);
        unchecked.push(inner);
    };
    for (let at = unchecked.pop(); at; at = unchecked.pop()) {
        if (Array.isArray(at.value)) {
            // `unchecked` is a stack: added in reverse to be visited in the order of the document.
            for (let n = at.value.length - 1; n >= 0; n--) {
                const value = at.value[n];
                if (isObject(value))
                    add({ ...at, value, place: `${at.place}[${n}]` }, at.place);
            }
            continue;
        }
        const fields = at.type ? fieldsOf(at.type) : NONE;
        rejectUnknown(at, fields);
        for (const [key, value] of Object.entries(at.value).reverse()) {
            if (!isObject(value))
                continue;
            const place = placeIn(at.place, key);
            const list = Array.isArray(value) ? fields.get(key) : null;
            const inner = list
                ? checkList(value, place, list, at)
                : { value, place, type: null, budget: null, level: 0 };
            add(inner, at.place);
        }
    }
    return objects;
}
const tooManyObjects = (place) => badRequest(`${nameOf(place)} holds too many objects: a body holds at most ${MOST_OBJECTS} objects and lists`);
/**
 * Rejects unknown properties that must not reach class-transformer: inherited names always, and all of
 * them from MOST_PROBLEMS on, since it compares every name with every other. The message lists the
 * first MOST_PROBLEMS.
 */
function rejectUnknown({ value, place }, fields) {
    const unknown = Object.keys(value).filter((key) => !fields.has(key));
    const inherited = unknown.filter((key) => key in Object.prototype);
    const rejected = unknown.length < MOST_PROBLEMS ? inherited : unknown;
    if (rejected.length === 0)
        return;
    const problems = rejected.slice(0, MOST_PROBLEMS).map((key) => unknownIn(place, key, fields));
    throw badRequest(problems.join('; '));
}
const isObject = (value) => typeof value === 'object' && value !== null && !(value instanceof JsonText);
/** Checks the length and depth of a list of objects. @throws DomainError as checkStructure() */
function checkList(value, place, list, at) {
    if (value.length > list.max)
        throw badRequest(`${nameOf(place)} ${tooManyOrFew(list)}`);
    const { total = Number.POSITIVE_INFINITY, depth = Number.POSITIVE_INFINITY } = list;
    const budget = at.budget ?? { place, total, depth, left: total };
    // How deep data may go is a rule of the data, hence 422.
    if (value.length > 0 && at.level >= budget.depth) {
        throw unprocessable(`${place}[0] is too deep: nesting goes at most ${budget.depth} levels deep`);
    }
    budget.left -= value.length;
    if (budget.left < 0) {
        throw badRequest(`${nameOf(budget.place)} must hold at most ${budget.total} in all`);
    }
    return { value, place, type: list.element(), budget, level: at.level + 1 };
}
/** The problem with the length of a list, or with a value that is not a list. */
export const tooManyOrFew = ({ min = 1, max }) => `must be a list of ${min === 0 ? 'at most' : `${min} to`} ${max} objects`;
/** Says that an object has a property that is not in its class. */
export function unknownIn(place, key, fields) {
    const name = JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key).slice(1, -1);
    const meant = [...fields.keys()].find((field) => field.toLowerCase() === key.toLowerCase());
    return `${placeIn(place, name.toWellFormed())} is not a known property${meant ? `, did you mean ${meant}?` : ': leave it out'}`;
}
/** The place of a property of the object at `outer`; '' is the request itself. */
export const placeIn = (outer, property) => outer === '' ? property : `${outer}.${property}`;
/** How messages call a place: '' is the body, and so is the field `body` of ListBodyPipe. */
export const nameOf = (place) => place === '' || place === 'body' ? 'the body' : place;
//# sourceMappingURL=structure.js.map