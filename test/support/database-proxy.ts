import { connect, createServer, type Socket } from 'node:net';

/** A statement that a client had executed; the name is '' where it has none. */
export interface Executed {
  name: string;
  text: string;
}

/** What a client did meanwhile. */
interface Observed {
  statements: Executed[];
  roundTrips: number;
}

/** What to do with the message of a statement. */
export type Decision = 'pass' | 'cut before' | 'cut after';

/** A proxy between the service and PostgreSQL that parses the messages of the service (protocol 3). */
export interface DatabaseProxy {
  /** The database's address through the proxy. */
  url: string;
  /**
   * Runs `work`; returns the statements executed meanwhile, and the round trips: messages that wait for a response.
   * In order, but for messages that wait at the same time: which of them comes first is chance, so that these are in
   * the order of their names.
   */
  during(work: () => PromiseLike<unknown>): Promise<Observed>;
  /**
   * As `during`, for one request: the responses to messages that wait at the same time are passed on together, so
   * that how long one of them takes does not decide what waits at the same time as the next one. Not for several
   * requests: the response to the one that has a lock would be held back until the other one has it.
   */
  duringOne(request: () => PromiseLike<unknown>): Promise<Observed>;
  /** All statements that were ever prepared or sent, by text. */
  readonly seen: ReadonlyMap<string, Executed>;
  /**
   * Decides on each statement: its connection may be cut before the message with it reaches
   * PostgreSQL, or after PostgreSQL has carried it out and before the service hears of it.
   */
  decide: (statement: Executed) => Decision;
  /** Resolves when the service has received the response to the next statement of this name. */
  responded(name: string): Promise<void>;
  /** Delays the response to the next statement of this name, on that connection. */
  holdResponse(name: string): HeldResponse;
  /**
   * Decides on each chunk of this many bytes, to or from PostgreSQL: its connection may be cut at
   * one of them. null: all of them pass.
   */
  cutAt: (bytes: number) => number | null;
  stop(): Promise<void>;
}

/** A response of PostgreSQL that the service waits for. */
export interface HeldResponse {
  /** Resolves when PostgreSQL has sent it. */
  arrived: Promise<void>;
  release(): void;
}

/** What is to happen to the next statement of a name. */
interface Expected {
  name: string;
  /** Called when it is on its way. */
  sent(connection: { hold(arrived: () => void): void; release(): void }): void;
  responded(): void;
}

/** @param databaseUrl of PostgreSQL itself, without TLS */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const seen = new Map<string, Executed>();
  const sockets = new Set<Socket>();
  const expected: Expected[] = [];
  /** The statements of each message, by those that wait for responses at the same time. */
  let flights: Executed[][][] = [];
  let inFlight = 0;
  /** While one request is observed: what PostgreSQL has sent, until nothing waits for a response. */
  let together: (() => void)[] | null = null;
  const passOn = () => {
    for (const pass of together?.splice(0) ?? []) pass();
  };

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
    /** Syncs and simple queries without a response of PostgreSQL. */
    let pending = 0;
    let isFlushed = false;
    /** The message that has begun, and has no response yet; it may come in several pieces. */
    let message: Executed[] | null = null;
    const begin = (): Executed[] => {
      const begun: Executed[] = [];
      if (inFlight++ === 0) flights.push([]);
      flights.at(-1)?.push(begun);
      return begun;
    };
    const end = () => {
      if (message && --inFlight === 0) passOn();
      message = null;
    };
    client.on('close', end);
    let isDeaf = false;
    /** Syncs and simple queries so far, and those that have their response. */
    let syncs = 0;
    let readies = 0;
    /** Statements that somebody waits for, each with the syncs before its own. */
    let awaited: { syncs: number; responded: () => void }[] = [];
    /** Responses that are held back; null: they pass. */
    let held: Buffer[] | null = null;
    let heldArrived: () => void = () => undefined;
    const connection = {
      hold: (arrived: () => void) => {
        held = [];
        heldArrived = arrived;
      },
      release: () => {
        for (const chunk of held ?? []) client.write(chunk);
        held = null;
      },
    };
    const requested = frames((type, body) => {
      message ??= begin();
      if (type === 'P') {
        const [name = '', text = ''] = strings(body, 2);
        texts.set(name, text);
      }
      const bound = type === 'B' ? strings(body, 2)[1] : undefined;
      const text = type === 'Q' ? strings(body, 1)[0] : texts.get(bound ?? '?');
      if (type === 'S' || type === 'Q') {
        pending++;
        syncs++;
      }
      if (type === 'H') isFlushed = true;
      if (text === undefined) return;
      const executed = { name: bound ?? '', text };
      seen.set(text, executed);
      message.push(executed);
      const at = expected.findIndex(({ name }) => name === executed.name);
      for (const each of at < 0 ? [] : expected.splice(at, 1)) {
        each.sent(connection);
        awaited.push({ syncs, responded: each.responded });
      }
      const decision = proxy.decide(executed);
      if (decision === 'cut before') cut();
      if (decision === 'cut after') isDeaf = true;
    });
    const responded = frames((type) => {
      // The response to a flush is some rows, or the end of the statement.
      if (isFlushed && (type === 's' || type === 'C' || type === 'E')) {
        isFlushed = false;
        if (pending === 0) end();
      }
      if (type !== 'Z') return;
      if (isStarted) {
        pending--;
        readies++;
        if (pending === 0) end();
      }
      isStarted = true;
    });
    /** Passes on the beginning of a piece and cuts the connection, if it is to be. */
    const isCut = (chunk: Buffer, to: Socket): boolean => {
      const at = proxy.cutAt(chunk.length);
      if (at === null) return false;
      to.write(chunk.subarray(0, at));
      cut();
      return true;
    };
    client.on('data', (chunk) => {
      if (isCut(chunk, backend)) return;
      if (!isStarted) return void backend.write(chunk);
      requested.read(chunk);
      if (!client.destroyed) backend.write(chunk);
    });
    backend.on('data', (chunk) => {
      if (isCut(chunk, client)) return;
      together?.push(() => pass(chunk));
      responded.read(chunk);
      if (!together) pass(chunk);
      else if (inFlight === 0) passOn();
    });
    const pass = (chunk: Buffer) => {
      if (held) {
        held.push(chunk);
        heldArrived();
      } else if (!isDeaf) client.write(chunk);
      // Its response shows that it has executed the statements.
      else if (pending === 0) cut();
      for (const each of awaited) if (each.syncs < readies) each.responded();
      awaited = awaited.filter((each) => each.syncs >= readies);
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);

  const proxy: DatabaseProxy = {
    url: url.href,
    seen,
    decide: () => 'pass',
    cutAt: () => null,
    during: async (work) => {
      flights = inFlight > 0 ? [[]] : [];
      await work();
      const ofRequests = flights.map((messages) => messages.filter((message) => !isOfJob(message)));
      const statements = ofRequests.flatMap((messages) => messages.sort(byNames).flat());
      return { statements, roundTrips: ofRequests.flat().length };
    },
    duringOne: async (request) => {
      together = [];
      try {
        return await proxy.during(request);
      } finally {
        passOn();
        together = null;
      }
    },
    responded: (name) =>
      new Promise((responded) => {
        expected.push({ name, sent: () => undefined, responded });
      }),
    holdResponse: (name) => {
      let release: () => void = () => undefined;
      const arrived = new Promise<void>((resolve) => {
        const sent: Expected['sent'] = (connection) => {
          connection.hold(resolve);
          release = connection.release;
        };
        expected.push({ name, sent, responded: () => undefined });
      });
      return { arrived, release: () => release() };
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** What a service without search in pages asks by itself every second: whether there is an index to remove. */
const isOfJob = (message: Executed[]): boolean =>
  message.length > 0 && message.every(({ text }) => text.includes('AS id FROM search_positions'));

const namesOf = (message: Executed[]): string =>
  message.map(({ name, text }) => name || text).join();
const byNames = (a: Executed[], b: Executed[]): number => (namesOf(a) < namesOf(b) ? -1 : 1);

/** Cuts a stream into messages: a letter, a length that counts itself, a body. */
function frames(take: (type: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return {
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
