import type { Config } from '../config/config.js';
import { signToken } from './token.js';

/**
 * Says where to go. A token is shown only where the service made its own secret: whoever configures
 * one has tokens of their own, and a log is no place for them.
 */
export function welcome(given: Config, { jwtSecret, publicUrl, issuer, audience }: Config): string {
  const lines = [
    '',
    `  The service:  ${publicUrl}`,
    `  Swagger UI:   ${publicUrl}/docs`,
    `  OpenAPI:      ${publicUrl}/openapi.json`,
  ];
  if (given.jwtSecret === null && jwtSecret !== null) {
    const subject = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
    const token = signToken(jwtSecret, subject, { issuer, audience });
    lines.push(
      '',
      `  A token for Ada, valid for 30 days:\n\n${token}`,
      '',
      `  Try it:\n\ncurl -H 'Authorization: Bearer ${token}' ${publicUrl}/teams`,
    );
  }
  return `${lines.join('\n')}\n`;
}
