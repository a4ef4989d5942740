import { createSecretKey } from 'node:crypto';
import type { Algorithm } from 'jsonwebtoken';
import type { SecretOrKeyProvider } from 'passport-jwt';
import type { Config } from '../config/config.js';

/** Where verification keys come from, and which algorithms they may be used with. */
export interface KeySource {
  algorithms: Algorithm[];
  provide: SecretOrKeyProvider;
}

/**
 * The shared secret (HS256). A provider's key set (AUTH_JWKS_URL) is to become the second source.
 *
 * The key is a KeyObject made once: jsonwebtoken tries to parse a string as a public key on every
 * call, which costs a third of all CPU.
 */
export function keySource(config: Config): KeySource {
  if (config.jwtSecret === null) throw new Error('createApp() needs a secret');
  const key = createSecretKey(Buffer.from(config.jwtSecret));
  return {
    algorithms: ['HS256'],
    // jsonwebtoken takes a KeyObject; the types of passport-jwt are older than that.
    provide: (_request, _token, done) => done(null, key as unknown as Buffer),
  };
}
