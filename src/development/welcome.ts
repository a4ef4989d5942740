import type { Config } from '../config/config.js';
import { signToken } from './token.js';

/**
 * A token for whoever tries the service, or null: it exists only where the service made its own
 * secret. Whoever configures one has tokens of their own, and neither a log nor a page is a place
 * for them.
 */
export function developmentToken(given: Config, { jwtSecret, issuer, audience }: Config) {
  if (given.jwtSecret !== null || jwtSecret === null) return null;
  const subject = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
  return signToken(jwtSecret, subject, { issuer, audience });
}

/** Says where to go. */
export function welcome({ publicUrl }: Config, token: string | null): string {
  const lines = [
    '',
    `  The service:  ${publicUrl}`,
    `  Swagger UI:   ${publicUrl}/docs`,
    `  Reference:    ${publicUrl}/reference`,
    `  OpenAPI:      ${publicUrl}/openapi.json`,
  ];
  if (token !== null) {
    lines.push(
      '',
      `  A token for Ada, valid for 30 days:\n\n${token}`,
      '',
      `  Try it:\n\ncurl -H 'Authorization: Bearer ${token}' ${publicUrl}/teams`,
    );
  }
  return `${lines.join('\n')}\n`;
}
