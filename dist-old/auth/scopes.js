import { InsufficientScopeError, UnauthorizedError } from '../errors/domain-error.js';
/** What a token may do, lowest first; each includes the ones before it. */
const SCOPES = ['none', 'read', 'write', 'manage'];
/** Prefix of this service's scopes; others are ignored. */
const PREFIX = 'teamspaces:';
/**
 * The scope of a token. Scopes only narrow: a token without a scope of this service may do
 * everything that its bearer may do.
 * @throws UnauthorizedError if `scope` or `scp` is neither a string nor a list of strings
 */
export function readScope(payload) {
    const granted = ['scope', 'scp']
        .flatMap((claim) => values(payload, claim))
        .filter((value) => value.startsWith(PREFIX));
    if (granted.length === 0)
        return 'manage';
    return SCOPES.findLast((scope) => granted.includes(PREFIX + scope)) ?? 'none';
}
function values(payload, claim) {
    const value = payload[claim] ?? [];
    const list = Array.isArray(value) ? value : [value];
    return list.flatMap((entry) => {
        if (typeof entry === 'string')
            return entry.split(' ');
        throw new UnauthorizedError(`the token's claim ${claim} is not valid: it must be a string or a list of strings`, true);
    });
}
/** @throws InsufficientScopeError if the scope `granted` does not suffice */
export function requireScope(granted, needed) {
    if (SCOPES.indexOf(granted) < SCOPES.indexOf(needed)) {
        throw new InsufficientScopeError(PREFIX + needed);
    }
}
//# sourceMappingURL=scopes.js.map