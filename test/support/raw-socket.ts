import { once } from 'node:events';
import { connect } from 'node:net';

/** What the service sends back for these bytes until it closes the connection, or is silent too long. */
export function sendRaw(url: string, bytes: string | Buffer, timeout = 5000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(timeout, () => socket.destroy(new Error(`no end of the response: ${heard}`)));
    socket.on('data', (data) => {
      heard += data.toString('utf8');
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      // A connection that is closed while we still write may be reset, after the response.
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(heard) : reject(error),
    );
  });
}

/** A connection of a test's own, on which it sends what and when it likes. */
export interface RawConnection {
  /** @param onSent is called when the system has taken them */
  send(bytes: string | Buffer, onSent?: () => void): void;
  /** Waits until all that was heard contains this text; fails if the service closes the connection before. */
  hears(text: string): Promise<void>;
  /** All that was heard, once the service has closed the connection. */
  closed(): Promise<string>;
  /** Breaks off. */
  destroy(): void;
}

export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  let heard = '';
  const socket = connect(Number(port), hostname);
  socket.on('data', (data) => {
    heard += data.toString('utf8');
    socket.emit('heard');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => socket.emit('heard'));
  return {
    send: (bytes, onSent) => socket.write(bytes, onSent),
    hears: async (text) => {
      while (!heard.includes(text)) {
        if (socket.destroyed) throw new Error(`heard only: ${heard}`);
        await once(socket, 'heard');
      }
    },
    closed: async () => {
      while (!socket.destroyed) await once(socket, 'heard');
      return heard;
    },
    destroy: () => socket.destroy(),
  };
}

/** The status, the headers (names in lower case) and the body of a response. */
export function parseResponse(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
