/** Digits of an exponent up to which it is reckoned with; a BigInt of more takes long to read. */
const MAX_EXPONENT_DIGITS = 100;
/**
 * Compares two JSON numbers by value, exactly: 1, 1.0 and 10e-1 are equal, and no digit is rounded
 * away. Numbers whose exponents have more than 100 digits are equal only if they are written with the
 * same exponent.
 */
export function isEqualNumber(a, b) {
    const [one, two] = [read(a), read(b)];
    if (one.digits !== two.digits || one.isNegative !== two.isNegative)
        return false;
    return one.digits === '' || exponentOf(one) === exponentOf(two);
}
function read(text) {
    const mark = text.search(/[eE]/);
    const exponent = mark === -1 ? '0' : text.slice(mark + 1);
    const mantissa = mark === -1 ? text : text.slice(0, mark);
    const isNegative = mantissa.startsWith('-');
    const [whole = '', fraction = ''] = mantissa.slice(isNegative ? 1 : 0).split('.');
    const all = whole + fraction;
    // Not by regular expressions: those for zeros at the end take the square of a long number's length.
    let from = 0;
    while (all[from] === '0')
        from++;
    let to = all.length;
    while (to > from && all[to - 1] === '0')
        to--;
    const digits = all.slice(from, to);
    // Zero has no sign.
    return { isNegative: isNegative && digits !== '', digits, exponent, shift: whole.length - from };
}
function exponentOf({ exponent, shift }) {
    return exponent.length > MAX_EXPONENT_DIGITS
        ? `${exponent} ${shift}`
        : BigInt(exponent.replace('+', '')) + BigInt(shift);
}
//# sourceMappingURL=json-number.js.map