import { type ConnectionOptions, connect } from 'node:tls';
import { Redis } from 'ioredis';
import { createTransport } from 'nodemailer';
import type { Config } from 'teamspaces-service/config/config';
import { compare, type OtherClock } from './clock.js';
import { addressOf, type Finding, fail, ok, reasonOf, TIMEOUT, warn } from './finding.js';

/** Resolution of the Date header of HTTP. */
const SECOND = 1000;
/** Kinds of keys that tokens may be signed with (decisions, 2.1). */
const KINDS = ['RSA', 'EC'];

/** What a part says of itself, and its clock if it was reachable. */
export interface Examined {
  findings: Finding[];
  clocks: OtherClock[];
}

/** Checks the secret, or fetches the key set. */
export async function examineKeys({ jwksUrl, jwtSecret, dataDir }: Config): Promise<Examined> {
  if (jwksUrl !== null) return examineKeySet(jwksUrl);
  const says =
    jwtSecret === null
      ? `The service creates a secret in ${dataDir}; npx teamspaces token signs with it.`
      : 'HS256 with AUTH_JWT_SECRET: anyone who has it can impersonate everyone.';
  return { findings: [ok('keys', says)], clocks: [] };
}

async function examineKeySet(url: string): Promise<Examined> {
  const place = addressOf(url);
  const sent = Date.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    const received = Date.now();
    const said = Date.parse(response.headers.get('date') ?? '');
    const clock = compare('the identity provider', { sent, received, said, coarse: SECOND });
    const body = response.ok ? await response.json().catch(() => null) : null;
    return {
      findings: [keySetFinding(place, response.status, body)],
      clocks: Number.isNaN(said) ? [] : [clock],
    };
  } catch (error) {
    const says = `The key set at ${place} (AUTH_JWKS_URL) cannot be fetched (${reasonOf(error)}): no new token can be verified.`;
    return { findings: [fail('keys', says)], clocks: [] };
  }
}

function keySetFinding(place: string, status: number, body: unknown): Finding {
  if (status !== 200) {
    return fail(
      'keys',
      `AUTH_JWKS_URL: ${place} returns ${status} instead of a key set: the right address is the identity provider's jwks_uri in /.well-known/openid-configuration.`,
    );
  }
  const usable = keysIn(body).filter(
    ({ kty, use }) => KINDS.includes(String(kty)) && use !== 'enc',
  );
  if (usable.length === 0) {
    return fail(
      'keys',
      `AUTH_JWKS_URL: the response of ${place} has no key that signs tokens (RSA or EC): the right address is the identity provider's jwks_uri.`,
    );
  }
  return ok('keys', `${usable.length === 1 ? '1 key' : `${usable.length} keys`} at ${place}.`);
}

function keysIn(body: unknown): { kty?: unknown; use?: unknown }[] {
  const keys: unknown = (body as { keys?: unknown } | null)?.keys;
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : [];
}

/** Whether the counts of the rate limit can be written. */
export async function examineRedis({ redisUrl, rateLimitPerMinute }: Config): Promise<Finding> {
  if (rateLimitPerMinute === 0) return ok('Redis', 'Not needed: RATE_LIMIT_PER_MINUTE is 0.');
  if (redisUrl === null) {
    return ok(
      'Redis',
      'Not set: with several processes, set REDIS_URL, so that they share one rate limit.',
    );
  }
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: unknown = null;
  redis.on('error', (error) => {
    failure = error;
  });
  try {
    await redis.connect();
    await redis.set('teamspaces:doctor', '1', 'PX', 1);
    return ok('Redis', `It accepts writes at ${addressOf(redisUrl)}.`);
  } catch (error) {
    const reason = replyOf(error) ?? replyOf(failure) ?? reasonOf(failure ?? error);
    return fail(
      'Redis',
      `REDIS_URL: ${addressOf(redisUrl)} cannot be written to (${reason}): each process counts by itself until it can.`,
    );
  } finally {
    redis.disconnect();
  }
}

/** The first word of an error reply of Redis, such as WRONGPASS; null if there was no reply. */
function replyOf(error: unknown): string | null {
  const { name, message } = (error ?? {}) as { name?: string; message?: string };
  return name === 'ReplyError' ? (message?.split(' ')[0] ?? null) : null;
}

/** An address that webhooks can stand for: IANA keeps it for such tests. */
const OUTBOUND = { host: 'example.com', port: 443 };

/** Whether receivers of webhooks can be reached. @param place that stands for them */
export async function examineOutbound(
  { webhookKey, production }: Pick<Config, 'webhookKey' | 'production'>,
  place: ConnectionOptions & { host: string } = OUTBOUND,
): Promise<Finding> {
  if (webhookKey === null) {
    return ok(
      'webhooks',
      production
        ? 'Not set: there are no webhooks. Set WEBHOOK_KEY to have them.'
        : 'WEBHOOK_KEY is not set: the service creates one in DATA_DIR.',
    );
  }
  const { host } = place;
  return new Promise((resolve) => {
    const socket = connect({ servername: host, timeout: TIMEOUT, ...place });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    const says = (reason: string) =>
      `${host} cannot be reached by https (${reason}): receivers of webhooks on the internet cannot be, either.`;
    socket.once('secureConnect', () => end(ok('webhooks', 'Outbound https works.')));
    socket.once('timeout', () => end(warn('webhooks', says('it does not respond'))));
    socket.once('error', (error) => end(warn('webhooks', says(reasonOf(error)))));
  });
}

/** Whether the mail server accepts the login; no mail is sent. */
export async function examineMail({ smtpUrl, inviteUrl }: Config): Promise<Finding> {
  if (smtpUrl === null) {
    return ok('SMTP', 'Not set: invites are not mailed. Set SMTP_URL to have them sent.');
  }
  const place = addressOf(smtpUrl);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    dnsTimeout: TIMEOUT,
  });
  try {
    await transport.verify();
    if (inviteUrl !== null) return ok('SMTP', `${place} accepts mail.`);
    return warn('SMTP', `${place} accepts mail; set INVITE_URL, so that the mails have a link.`);
  } catch (error) {
    // Codes only: the message of a mail server may name the user.
    const { responseCode } = error as { responseCode?: unknown };
    const reason = [reasonOf(error), responseCode].filter(Boolean).join(' ');
    return fail(
      'SMTP',
      `SMTP_URL: ${place} does not accept mail (${reason}): invites wait until it does.`,
    );
  } finally {
    transport.close();
  }
}
