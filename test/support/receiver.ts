import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A message that a receiver has got. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  /** As it was sent. */
  text: string;
  body: {
    type: string;
    timestamp: string;
    data: {
      team: { _id: string; slug: string };
      workspace: { _id: string; slug: string };
      version: string;
      cursor: string;
      entry: string;
    };
  };
}

type Respond = (response: ServerResponse) => void;

/** A server on loopback that takes messages of webhooks. */
export interface Receiver {
  url: string;
  received: Received[];
  /** How many messages were answered at once, at most. */
  most(): number;
  /** How the next messages are answered; then by 200 again. */
  next(...responses: (number | Respond)[]): void;
  /** How messages are answered from now on. */
  always(response: number | Respond): void;
  /** Waits until this many messages have arrived, for a minute at most, and returns all. */
  arrival(count: number): Promise<Received[]>;
  forget(): void;
  stop(): Promise<void>;
}

export const WEBHOOK_ENV = {
  WEBHOOK_KEY: 'a key of webhooks that only tests have',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1, localhost',
};

/** Answers after these milliseconds, unless the test has ended by then. */
export const after =
  (milliseconds: number): Respond =>
  (response) =>
    void setTimeout(() => response.end('ok'), milliseconds).unref();

/** Checks the signature, as a receiver does. @throws Error: it is wrong */
export const verify = (secret: string, { headers, text }: Received): void => {
  new Webhook(secret).verify(text, headers as Record<string, string>);
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const planned: (number | Respond)[] = [];
  let usual: number | Respond = 200;
  let open = 0;
  let most = 0;
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    open++;
    most = Math.max(most, open);
    response.once('close', () => open--);
    let text = '';
    for await (const chunk of request) text += chunk;
    const id = String(request.headers['webhook-id']);
    received.push({ id, headers: request.headers, text, body: JSON.parse(text) });
    const how = planned.shift() ?? usual;
    if (typeof how === 'number') response.writeHead(how).end('ok');
    else how(response);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks?token=t0ken`,
    received,
    most: () => most,
    next: (...responses) => planned.push(...responses),
    always: (response) => {
      usual = response;
    },
    async arrival(count) {
      for (let waited = 0; received.length < count && waited < 60_000; waited += 20) {
        await new Promise((wake) => setTimeout(wake, 20));
      }
      if (received.length < count) {
        throw new Error(`${received.length} of ${count} messages came`);
      }
      return received;
    },
    forget() {
      received.length = 0;
      planned.length = 0;
      usual = 200;
      most = 0;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface WebhookBody {
  _id: string;
  url: string;
  events: string[];
  workspaces: string[] | null;
  enabled: boolean;
  disabledBecause: string | null;
  secret: string;
}

export interface DeliveryBody {
  id: string;
  at: string;
  event: string;
  workspace?: string;
  status: string;
}
