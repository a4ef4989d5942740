import { createHmac, timingSafeEqual } from 'node:crypto';
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const mac = (secret, signed) => createHmac('sha256', secret).update(signed).digest();
/** Makes a token of one day. */
export function signToken(secret, subject) {
    const payload = {
        sub: subject,
        email: `${subject}@bench.example`,
        name: subject,
        exp: Math.floor(Date.now() / 1000) + 24 * 3600,
    };
    const signed = `${HEADER}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
    return `${signed}.${mac(secret, signed).toString('base64url')}`;
}
/** Checks `Authorization: Bearer <token>`; null: there is none, it is not ours, or it is over. */
export function verifyHeader(secret, header) {
    if (!header?.startsWith('Bearer '))
        return null;
    const token = header.slice(7);
    const end = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    const expected = mac(secret, token.slice(0, end));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
        return null;
    const body = token.slice(token.indexOf('.') + 1, end);
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
    if (payload.exp < Date.now() / 1000)
        return null;
    const { iss = '', sub, email, name = '' } = payload;
    return { issuer: iss, subject: sub, email, name };
}
