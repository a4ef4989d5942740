import { applyDecorators } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import { ValidateBy, ValidateNested } from 'class-validator';
import { foldEmail } from '../auth/email.js';
import { Field } from './fields.js';
import { toRequest } from './request.pipe.js';
import { LIST, tooManyOrFew } from './structure.js';
/**
 * A list of objects, each checked by the rules of its own class. A class may hold lists of itself;
 * then `total` and `depth` of the outermost list bound all of them together.
 * @param element a function, because a class does not exist yet while it is declared
 */
export function ListOf(element, { distinct, ...bounds }, options) {
    const { min = 1, max } = bounds;
    return applyDecorators(TypeOf(element), 
    // class-validator would validate the elements of a list in the list, which is not an object.
    Transform(({ value }) => Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? null : one)) : value), Field({ type: () => [element()], minItems: min, maxItems: max }, options, ValidateBy({
        name: LIST,
        constraints: [{ ...bounds, element }],
        validator: {
            validate: (value) => Array.isArray(value) && value.length >= min && value.length <= max,
            defaultMessage: () => tooManyOrFew(bounds),
        },
    }), ...(distinct === undefined
        ? []
        : [
            ValidateBy({
                name: 'distinct',
                validator: {
                    validate: (value) => placeOfRepeated(value, distinct) === null,
                    defaultMessage: (args) => {
                        const place = placeOfRepeated(args?.value, distinct);
                        return `${place} is already in the list: name each once`;
                    },
                },
            }),
        ]), ValidateNested({ message: 'must be a JSON object' })));
}
/** Where in a list a text is repeated, compared as emails are: `[2].email`. */
function placeOfRepeated(list, field) {
    const seen = new Set();
    const index = (Array.isArray(list) ? list : []).findIndex((element) => {
        const text = element?.[field];
        return typeof text === 'string' && seen.size === seen.add(foldEmail(text)).size;
    });
    return index === -1 ? null : `[${index}].${field}`;
}
/** For a body that is a list: `@Body(new ListBodyPipe(ElementRequest, { max, distinct }))`. */
export class ListBodyPipe {
    requestClass;
    constructor(element, bounds) {
        class ListBody {
            body;
        }
        ListOf(() => element, bounds, { description: 'The body.' })(ListBody.prototype, 'body');
        this.requestClass = ListBody;
    }
    /** @throws DomainError bad_request: up to three problems, each with its place and bound */
    transform(body) {
        return toRequest(this.requestClass, { body: body ?? null }).body;
    }
}
//# sourceMappingURL=lists.js.map