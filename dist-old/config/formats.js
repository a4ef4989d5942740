import { isIP } from 'node:net';
import { z } from 'zod';
// Formats of variables. A message follows the variable's name, and never repeats a value that may
// hold a password.
/** Digits only: neither "1e3" nor "0x10", which JavaScript would accept. */
export function wholeNumber(min, max) {
    const error = `must be a whole number from ${min} to ${max}`;
    return z
        .string()
        .regex(/^\d{1,15}$/, { error, abort: true })
        .transform(Number)
        .refine((value) => value >= min && value <= max, { error });
}
/** `on` or `off`. */
export const onOff = z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on');
/** A URL as it was written. `protocols` as in `url('http', 'https')`. */
export function url(...protocols) {
    const starts = protocols.map((protocol) => `${protocol}://`).join(' or ');
    return z.url({
        protocol: new RegExp(`^(${protocols.join('|')})$`),
        error: `must be a URL that starts with ${starts}`,
    });
}
/** Texts separated by commas. White space around them is dropped, and so are empty ones. */
export function list(item) {
    return z
        .string()
        .transform((text) => text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean))
        .pipe(z.array(item));
}
/** What a browser sends as Origin, or `*`. */
export const origin = z
    .string()
    .refine((text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text), {
    error: ({ input }) => `must be origins such as https://app.example.com, not "${input}"`,
});
/** A number of hops, or addresses and CIDR blocks as one text. */
export const proxies = z
    .string()
    .refine((text) => /^\d{1,2}$/.test(text) || text.split(',').every(isNetwork), {
    error: 'must be a number of hops, or addresses and CIDR blocks',
})
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : text));
/** True for an address, alone or with the length of its prefix. */
function isNetwork(text) {
    const [address = '', prefix, ...rest] = text.trim().split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (prefix === undefined)
        return bits > 0;
    return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}
//# sourceMappingURL=formats.js.map