import { signToken } from './token.js';
/**
 * A token for trying the service; null unless the service created its own secret. With a configured
 * secret, tokens must appear neither in a log nor on a page.
 */
export function developmentToken(given, { jwtSecret, issuer, audience }) {
    if (given.jwtSecret !== null || jwtSecret === null)
        return null;
    const subject = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
    return signToken(jwtSecret, subject, { issuer, audience });
}
/** The message at the start. */
export function welcome({ publicUrl }, token) {
    const lines = [
        '',
        `  The service:  ${publicUrl}`,
        `  Manual:       ${publicUrl}/manual`,
        `  Reference:    ${publicUrl}/reference`,
        `  Swagger UI:   ${publicUrl}/docs`,
        `  OpenAPI:      ${publicUrl}/openapi.json`,
    ];
    if (token !== null) {
        lines.push('', `  A token for Ada, valid for 30 days:\n\n${token}`, '', `  Try it:\n\ncurl -H 'Authorization: Bearer ${token}' ${publicUrl}/teams`);
    }
    return `${lines.join('\n')}\n`;
}
//# sourceMappingURL=welcome.js.map