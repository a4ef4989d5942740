import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { ERROR_STATUS } from '../../src/errors/error-status.js';
import type { Operation } from './document.js';

export interface Exchanged {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
export const closeConnections = (): void => agent.destroy();

/** One request, its path to the letter. Fails where the service is silent for ten seconds. */
export function exchange(
  url: string,
  { method, path, headers, body }: { method: string; path: string; headers: object; body?: string },
): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path, headers: { ...headers }, timeout: 10_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('the service does not respond')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Percent-encodes text that may be no well-formed Unicode, as a careless program does. */
export const encode = (text: string): string =>
  Array.from(text, (char) => (char.isWellFormed() ? encodeURIComponent(char) : '%ED%A0%80')).join(
    '',
  );

/** Words that would tell of the inside. */
export const INSIDE =
  /prisma|postgres|pg_|select |insert |violates|syntax error at|node_modules|\.ts\b|\.js\b|\[object|undefined|NaN\b|TypeError|RangeError|at line/i;

/** The problem with a response, whatever the request was; null if there is none. */
export function problemOf(
  { status, headers, text }: Exchanged,
  operation: Operation,
): string | null {
  if (status === 304) return text === '' ? null : '304 with a body';
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return 'no JSON';
  const body = JSON.parse(text) as { error?: { code: string; message: string; doc_url: string } };
  if (status === 200) {
    if (operation.validates(body)) return null;
    return `200 is not as documented: ${JSON.stringify(operation.validates.errors?.slice(0, 3))}`;
  }
  return problemOfError(status, body.error, headers);
}

/** What is wrong with the envelope of an error; null where all is well. */
function problemOfError(
  status: number,
  error: { code: string; message: string; doc_url: string } | undefined,
  headers: IncomingHttpHeaders | Record<string, string>,
): string | null {
  if (status === 500) return 'a 500';
  if (!error || Object.keys(error).sort().join() !== 'code,doc_url,message') return 'no envelope';
  const { code, message, doc_url } = error;
  if (ERROR_STATUS[code as keyof typeof ERROR_STATUS] !== status) return `${code} with ${status}`;
  if (!doc_url.endsWith(`/api-reference/errors#${code}`)) return `doc_url ${doc_url}`;
  if (message.length < 10 || message.length > 500)
    return `a message of ${message.length} characters`;
  if (!message.isWellFormed() || message.includes('\0')) return 'a malformed message';
  // The caller's own words may come back; nothing else may tell of the inside.
  const ours = message.split('; ').filter((part) => !part.includes(' is not a known property'));
  if (INSIDE.test(ours.join('; '))) return `a message that tells of the inside: ${message}`;
  if (status === 401 && !headers['www-authenticate']) return 'no WWW-Authenticate';
  return null;
}
