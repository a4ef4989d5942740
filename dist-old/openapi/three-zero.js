/** Only null. */
const NOTHING = { type: 'object', nullable: true, enum: [null] };
/** Values, whose keys are not keywords. */
const VALUES = new Set(['example', 'examples', 'default', 'enum']);
/**
 * The document in OpenAPI 3.0.3, for tools that do not read 3.1: `null` among types is `nullable`, and a
 * reference with keywords beside it is an `allOf`.
 */
export const inThreeZero = (document) => ({
    ...converted(document),
    openapi: '3.0.3',
});
function converted(node) {
    if (Array.isArray(node))
        return node.map(converted);
    if (typeof node !== 'object' || node === null)
        return node;
    const entries = Object.entries(node).map(([key, value]) => [
        key,
        VALUES.has(key) ? value : converted(value),
    ]);
    return withAllOf(withNullable(Object.fromEntries(entries)));
}
/**
 * `type: [X, null]`, and a record or `null`, become `nullable`; several types or `null` become any value.
 */
function withNullable(node) {
    const { type, anyOf, oneOf, ...rest } = node;
    if (Array.isArray(type)) {
        const [only, ...others] = type.filter((name) => name !== 'null');
        if (others.length > 0)
            throw new Error(`3.0 has no schema of several types: ${type}`);
        return { ...rest, type: only, nullable: true };
    }
    const all = anyOf ?? oneOf;
    if (!Array.isArray(all) || !all.some((one) => one.type === 'null'))
        return node;
    const left = all.filter((one) => one.type !== 'null');
    // `nullable` takes a single type; without a type, null is allowed like everything else.
    return left.length === 1
        ? { ...rest, type: 'object', nullable: true, anyOf: [...left, NOTHING] }
        : rest;
}
function withAllOf(node) {
    const { $ref, ...rest } = node;
    if (typeof $ref !== 'string' || Object.keys(rest).length === 0)
        return node;
    return { ...rest, allOf: [{ $ref }] };
}
//# sourceMappingURL=three-zero.js.map