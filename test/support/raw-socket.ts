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
