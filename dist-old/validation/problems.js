import { ValidationTypes } from 'class-validator';
import { badRequest } from '../errors/domain-error.js';
import { fieldsOf, LIST, MOST_PROBLEMS, nameOf, placeIn, unknownIn } from './structure.js';
/** Makes the error from the problems that class-validator found: up to three, each with its place. */
export function toBadRequest(errors) {
    const problems = [];
    for (const problem of problemsOf(errors, '')) {
        if (problems.push(problem) === MOST_PROBLEMS)
            break;
    }
    return badRequest(problems.join('; '));
}
/** @param outer the place of the object or list that the errors belong to; '' is the request itself */
function* problemsOf(errors, outer) {
    for (const { target, property, constraints = {}, children = [] } of errors) {
        if (ValidationTypes.WHITELIST in constraints) {
            yield unknownIn(outer, property, fieldsOf(target?.constructor));
            continue;
        }
        const place = Array.isArray(target) ? `${outer}[${property}]` : placeIn(outer, property);
        const [problem] = Object.values(constraints);
        // Some messages begin with the element of a list.
        if (problem)
            yield problem.startsWith('[') ? place + problem : `${nameOf(place)} ${problem}`;
        if (!(LIST in constraints))
            yield* problemsOf(children, place);
    }
}
//# sourceMappingURL=problems.js.map