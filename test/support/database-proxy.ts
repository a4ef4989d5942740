import { connect, createServer, type Socket } from 'node:net';

/** A statement that a client had executed; the name is '' where it has none. */
export interface Executed {
  name: string;
  text: string;
}

/** What a connection is to do with the message in which a statement comes. */
export type Verdict = 'pass' | 'cut before' | 'cut after';

/** Stands between the service and PostgreSQL, and reads what the service says (protocol 3). */
export interface DatabaseProxy {
  /** The database's address through the proxy. */
  url: string;
  /** Runs something; answers the statements executed meanwhile, in order, and the round trips. */
  during(work: () => PromiseLike<unknown>): Promise<{ statements: Executed[]; roundTrips: number }>;
  /** All statements that were ever prepared or sent, by text. */
  readonly seen: ReadonlyMap<string, Executed>;
  /**
   * Decides over each statement: its connection may be cut before the message with it reaches
   * PostgreSQL, or after PostgreSQL has carried it out and before the service hears of it.
   */
  judge: (statement: Executed) => Verdict;
  stop(): Promise<void>;
}

/** @param databaseUrl of PostgreSQL itself, without TLS */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const seen = new Map<string, Executed>();
  const sockets = new Set<Socket>();
  let statements: Executed[] = [];
  let roundTrips = 0;

  const server = createServer((client) => {
    const backend = connect(Number(target.port || 5432), target.hostname);
    const cut = () => {
      client.destroy();
      backend.destroy();
    };
    for (const socket of [client, backend]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    const texts = new Map<string, string>();
    let isStarted = false;
    /** Syncs and simple queries that PostgreSQL has yet to answer. */
    let unanswered = 0;
    let isFlushed = false;
    let isDeaf = false;
    const asked = frames((type, body) => {
      if (type === 'P') {
        const [name = '', text = ''] = strings(body, 2);
        texts.set(name, text);
      }
      const bound = type === 'B' ? strings(body, 2)[1] : undefined;
      const text = type === 'Q' ? strings(body, 1)[0] : texts.get(bound ?? '?');
      if (type === 'S' || type === 'Q') unanswered++;
      if (type === 'H') isFlushed = true;
      if (text === undefined) return;
      const executed = { name: bound ?? '', text };
      seen.set(text, executed);
      statements.push(executed);
      const verdict = proxy.judge(executed);
      if (verdict === 'cut before') cut();
      if (verdict === 'cut after') isDeaf = true;
    });
    const answered = frames((type) => {
      // What was flushed is answered by some rows, or by the end of the statement.
      if (type === 's' || type === 'C' || type === 'E') isFlushed = false;
      if (type !== 'Z') return;
      if (isStarted) unanswered--;
      isStarted = true;
    });
    client.on('data', (chunk) => {
      if (!isStarted) return void backend.write(chunk);
      if (unanswered === 0 && !isFlushed && !asked.isInside()) roundTrips++;
      asked.read(chunk);
      if (!client.destroyed) backend.write(chunk);
    });
    backend.on('data', (chunk) => {
      answered.read(chunk);
      if (!isDeaf) client.write(chunk);
      // It has answered, and so has carried out what it was told.
      else if (unanswered === 0) cut();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);

  const proxy: DatabaseProxy = {
    url: url.href,
    seen,
    judge: () => 'pass',
    during: async (work) => {
      statements = [];
      roundTrips = 0;
      await work();
      return { statements, roundTrips };
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** Cuts a stream into messages: a letter, a length that counts itself, a body. */
function frames(take: (type: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return {
    isInside: () => rest.length > 0,
    read(chunk: Buffer): void {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      while (rest.length >= 5) {
        const end = 1 + rest.readInt32BE(1);
        if (rest.length < end) return;
        take(String.fromCharCode(rest[0] as number), rest.subarray(5, end));
        rest = rest.subarray(end);
      }
    },
  };
}

/** The first strings of a message's body, each ended by a zero byte. */
const strings = (body: Buffer, count: number): string[] => body.toString('utf8').split('\0', count);
