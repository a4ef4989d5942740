import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A connection of which only so many bytes are read, then it is cut. It counts what comes through the socket, below
 * TLS and HTTP: a peer can send much that neither of them tells of.
 */
export class LimitedSocket extends Duplex {
  private received = 0;

  /** @param limit bytes */
  constructor(
    private readonly socket: Socket,
    private readonly limit: number,
  ) {
    super({ allowHalfOpen: false });
    let isEnded = false;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => {
      isEnded = true;
      this.push(null);
    });
    socket.on('error', (error) => this.destroy(error));
    // After an end, what has been read comes first.
    socket.on('close', () => {
      if (!isEnded) this.destroy();
    });
  }

  /** Whether the peer has sent more than it may. */
  get isCut(): boolean {
    return this.received > this.limit;
  }

  private receive(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.isCut) this.destroy(new Error('the peer has sent too much'));
    else if (!this.push(chunk)) this.socket.pause();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
