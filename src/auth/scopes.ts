import { InsufficientScopeError, UnauthorizedError } from '../errors/domain-error.js';

/** What a token may do, lowest first; each includes the ones before it. */
const SCOPES = ['none', 'read', 'write', 'manage'] as const;

/**
 * `read`: GET. `write`: also change content. `manage`: everything. `none`: nothing, if a token
 * names only scopes of this service that do not exist.
 */
export type Scope = (typeof SCOPES)[number];

/** Prefix of this service's scopes; others are ignored. */
const PREFIX = 'teamspaces:';

/**
 * The scope of a token. Scopes only narrow: a token without a scope of this service may do
 * everything that its bearer may do.
 * @throws UnauthorizedError if `scope` or `scp` is neither a string nor a list of strings
 */
export function readScope(payload: Record<string, unknown>): Scope {
  const granted = ['scope', 'scp']
    .flatMap((claim) => values(payload, claim))
    .filter((value) => value.startsWith(PREFIX));
  if (granted.length === 0) return 'manage';
  return SCOPES.findLast((scope) => granted.includes(PREFIX + scope)) ?? 'none';
}

function values(payload: Record<string, unknown>, claim: string): string[] {
  const value = payload[claim] ?? [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => {
    if (typeof entry === 'string') return entry.split(' ');
    throw new UnauthorizedError(
      `the token's claim ${claim} is not valid: it must be a string or a list of strings`,
      true,
    );
  });
}

/** @throws InsufficientScopeError if the scope `granted` does not suffice */
export function requireScope(granted: Scope, needed: Scope): void {
  if (SCOPES.indexOf(granted) < SCOPES.indexOf(needed)) {
    throw new InsufficientScopeError(PREFIX + needed);
  }
}
