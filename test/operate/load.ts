import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What became of the requests of a load. */
export interface Outcomes {
  /** By status. */
  statuses: Record<number, number>;
  /** Responses with `Connection: close`. */
  last: number;
  /** Nobody listened any more. */
  refused: number;
  /** Neither: the connection broke before the response was whole. */
  cut: string[];
}

/** A request to make again and again. */
export interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** So many clients with connections of their own, kept alive, that ask without a pause until they are refused. */
export async function fire(url: string, clients: number, shot: Shot): Promise<Outcomes> {
  const outcomes: Outcomes = { statuses: {}, last: 0, refused: 0, cut: [] };
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let isOpen = true; isOpen; ) isOpen = await ask(url, agent, shot, outcomes);
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return outcomes;
}

/** One request; false where nobody listens. */
async function ask(url: string, agent: Agent, shot: Shot, outcomes: Outcomes): Promise<boolean> {
  try {
    const { response } = await send(url, shot, agent);
    const status = response.statusCode ?? 0;
    outcomes.statuses[status] = (outcomes.statuses[status] ?? 0) + 1;
    if (response.headers.connection === 'close') outcomes.last++;
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') {
      outcomes.refused++;
      return false;
    }
    outcomes.cut.push(`${code} ${message}`);
    await sleep(10);
    return true;
  }
}

/** Sends a request and waits for its whole response. */
export function send(
  url: string,
  { method, path, headers, body }: Shot,
  agent?: Agent,
): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method, headers, ...(agent && { agent }) },
      (response) => {
        let text = '';
        response.on('data', (data) => {
          text += data;
        });
        response.on('end', () => resolve({ response, text }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
