import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  to: string[];
  raw: string;
}

/** A mail server that keeps what it gets. */
export interface MailServer {
  url: string;
  port: number;
  received: Received[];
  /** Refuses the next mail with this code. */
  refuseNext(code: number): void;
  /** Refuses the sender of the next mail with this code. */
  refuseSender(code: number): void;
  /** Takes the next mail, and breaks the connection instead of saying so. */
  breakNext(): void;
  /** Lets the next mail wait for its response: a refusal with the code that is given then, or 0 to accept it. */
  holdNext(): (code: number) => void;
  /** Waits until this many mails have had to wait for their response, for a minute at most, and returns their addressees. */
  held(count?: number): Promise<string[]>;
  /** Waits until this many mails have arrived, for a minute at most, and returns all. */
  arrival(count?: number): Promise<Received[]>;
  /** Forgets what came, and what is to be refused. */
  forget(): void;
  stop(): Promise<void>;
}

/** The mail is accepted, and the connection breaks. */
const BREAK = -1;

/** @param port one that is free, unless a test has its own */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = [];
  const held: string[] = [];
  /** What becomes of the next mails: a code that refuses, 0 to accept, or BREAK. */
  const verdicts: (number | Promise<number>)[] = [];
  const senders: number[] = [];
  const refusal = (responseCode: number) => Object.assign(new Error('not now'), { responseCode });
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onMailFrom(_address, _session, done) {
      const code = senders.shift();
      done(code === undefined ? null : refusal(code));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const verdict = verdicts.shift();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        if (verdict instanceof Promise) held.push(...to);
        const code = await verdict;
        if (code && code !== BREAK) return done(refusal(code));
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        if (code === BREAK) for (const socket of sockets) socket.destroy();
        return done();
      });
    },
  });
  const sockets = new Set<Socket>();
  smtp.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => smtp.listen(port, '127.0.0.1', listening));
  const address = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    refuseNext: (code) => verdicts.push(code),
    refuseSender: (code) => senders.push(code),
    breakNext: () => verdicts.push(BREAK),
    holdNext: () => {
      let end: (code: number) => void = () => undefined;
      const verdict = new Promise<number>((resolve) => {
        end = resolve;
      });
      verdicts.push(verdict);
      return end;
    },
    async arrival(count = 1) {
      await reached(() => received.map(({ to }) => to), count);
      return received;
    },
    async held(count = 1) {
      await reached(() => held, count);
      return held;
    },
    forget() {
      received.length = 0;
      verdicts.length = 0;
      senders.length = 0;
    },
    stop: () => new Promise((closed) => smtp.close(() => closed())),
  };
}

/** Waits until a list has this many elements, for a minute at most. */
async function reached(list: () => readonly unknown[], count: number): Promise<void> {
  for (let waited = 0; list().length < count && waited < 60_000; waited += 20) {
    await new Promise((wake) => setTimeout(wake, 20));
  }
  if (list().length < count) throw new Error(`${count} mails, of which came: ${list().join()}`);
}

/** The decoded parts of a mail, by their type. */
export function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] as string;
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...body] = part.trimStart().split('\r\n\r\n');
      const encoded = body.join('\r\n\r\n');
      const decoded = /base64/i.test(head)
        ? Buffer.from(encoded, 'base64')
        : Buffer.from(
            encoded
              .replace(/=\r\n/g, '')
              .replace(/=([0-9A-F]{2})/g, (_, hex) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            'latin1',
          );
      return [/Content-Type: ([^;]+)/i.exec(head)?.[1] as string, decoded.toString('utf8')];
    }),
  );
}
