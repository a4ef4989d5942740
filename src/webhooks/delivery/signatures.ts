import { createHmac } from 'node:crypto';

// Standard Webhooks 1.0. A secret is derived from WEBHOOK_KEY whenever it is needed, and stored nowhere.

/** Milliseconds for which the secret before a renewal signs, too. */
const OVERLAP = 24 * 3_600_000;

/** What the secrets of a webhook are derived from. */
export interface SecretSource {
  id: string;
  /** How often the secret was made. */
  generation: number;
  /** null: the first secret is in use. */
  renewedAt: Date | null;
}

/** The secret as receivers store it. */
export const secretOf = (key: string, { id, generation }: SecretSource): string =>
  `whsec_${bytesOf(key, id, generation).toString('base64')}`;

const bytesOf = (key: string, id: string, generation: number): Buffer =>
  createHmac('sha256', key).update(`${id}.${generation}`).digest();

/**
 * The headers of a message: one signature for each secret that is valid at this time.
 * @param messageId the same for each attempt
 * @param now milliseconds since 1970
 */
export function signedHeaders(
  key: string,
  source: SecretSource,
  messageId: string,
  body: string,
  now: number,
): Record<string, string> {
  const { id, generation, renewedAt } = source;
  const timestamp = Math.floor(now / 1000);
  const isRenewed = renewedAt !== null && now < renewedAt.getTime() + OVERLAP;
  const signatures = (isRenewed ? [generation, generation - 1] : [generation]).map((valid) => {
    const hmac = createHmac('sha256', bytesOf(key, id, valid));
    return `v1,${hmac.update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
