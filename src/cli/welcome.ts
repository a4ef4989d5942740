import { signToken } from '../auth/development-token.js';
import type { Config } from '../config/config.js';
import type { CompleteConfig } from './defaults.js';

/**
 * Says where to go. A token is printed only where the service made its own secret: whoever
 * configures one has tokens of their own, and a log is no place for them.
 */
export function printWelcome(given: Config, config: CompleteConfig): void {
  const base = config.publicUrl;
  const lines = [
    '',
    `  The service:  ${base}`,
    `  Swagger UI:   ${base}/docs`,
    `  OpenAPI:      ${base}/openapi.json`,
  ];
  if (given.jwtSecret === null && config.jwtSecret !== null) {
    const { issuer, audience } = config;
    const subject = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
    const token = signToken(config.jwtSecret, subject, { issuer, audience });
    lines.push(
      '',
      `  A token for Ada, valid for 30 days:\n\n${token}`,
      '',
      `  Try it:\n\ncurl -H 'Authorization: Bearer ${token}' ${base}/teams`,
    );
  }
  console.log(`${lines.join('\n')}\n`);
}
