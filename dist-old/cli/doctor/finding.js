/** Milliseconds that each check waits for a response. */
export const TIMEOUT = 5_000;
/** An address without user, password and query. */
export function addressOf(url) {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
/** The code of an error if it has one: a message may hold secrets. */
export function reasonOf(error) {
    const { code, name, cause, errors } = error;
    if (typeof code === 'string' || typeof code === 'number')
        return String(code);
    const inner = cause ?? errors?.[0];
    if (inner !== undefined)
        return reasonOf(inner);
    return name === 'TimeoutError' ? 'it does not respond' : String(name ?? 'unknown reason');
}
//# sourceMappingURL=finding.js.map