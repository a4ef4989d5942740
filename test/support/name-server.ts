import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on loopback. */
export interface NameServer {
  /** Address and port. */
  address: string;
  /** The names that it was asked for, once for each question. */
  asked: string[];
  stop(): void;
}

const TYPE_A = 1;

/**
 * Starts a name server that knows IPv4 addresses only.
 * @param addressesOf those of a name; null: it says nothing, ever
 */
export async function startNameServer(
  addressesOf: (name: string) => readonly string[] | null,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameIn(query);
    asked.push(name);
    const found = addressesOf(name);
    if (found === null) return;
    const answers = query.readUInt16BE(end) === TYPE_A ? found : [];
    const head = Buffer.from(query.subarray(0, 12));
    // A response without an error, to one question, and nothing else.
    head.writeUInt16BE(0x8180, 2);
    for (const [index, count] of [1, answers.length, 0, 0].entries()) {
      head.writeUInt16BE(count, 4 + 2 * index);
    }
    const records = answers.map((each) =>
      // Of the name that was asked for, A, of the internet, for a second.
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...each.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => socket.close(),
  };
}

/** The name of a question, in lower case, and where it ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let end = 12;
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length));
    end += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: end + 1 };
}
