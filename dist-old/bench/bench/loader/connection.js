import net from 'node:net';
const HEAD_END = Buffer.from('\r\n\r\n');
const LARGEST_READ = 256 * 1024;
/**
 * A kept-alive HTTP/1.1 connection with one request on its way at a time. It looks at the head of
 * a response and counts the rest, so that the load costs little of the processors it shares with
 * the service: no headers are parsed but the two that tell where the response ends.
 */
export class Connection {
    socket;
    onResponse = null;
    keepsBody = false;
    status = 0;
    /** Bytes of the body, or of the chunk, that are still to come; null: the head is not read yet. */
    left = null;
    chunked = false;
    rest = Buffer.alloc(0);
    body = [];
    constructor(port, onFailure) {
        const buffer = Buffer.allocUnsafe(LARGEST_READ);
        this.socket = net.connect({
            port,
            host: '127.0.0.1',
            noDelay: true,
            onread: {
                buffer,
                callback: (size) => {
                    this.read(buffer.subarray(0, size));
                    return true;
                },
            },
        });
        this.socket.on('error', onFailure);
        this.socket.on('close', () => {
            if (this.onResponse)
                onFailure(new Error('the server closed a connection'));
        });
    }
    /** Sends a request; `keepsBody`: its response's body is wanted, as text. */
    send(request, keepsBody, onResponse) {
        this.onResponse = onResponse;
        this.keepsBody = keepsBody;
        this.socket.write(request, 'latin1');
    }
    close() {
        this.socket.destroy();
    }
    read(bytes) {
        let data = bytes;
        if (this.rest.length > 0) {
            data = Buffer.concat([this.rest, bytes]);
            this.rest = Buffer.alloc(0);
        }
        while (this.onResponse) {
            if (this.left === null) {
                const end = data.indexOf(HEAD_END);
                if (end === -1)
                    break;
                this.readHead(data.toString('latin1', 0, end));
                data = data.subarray(end + HEAD_END.length);
            }
            const used = this.chunked ? this.readChunk(data) : this.readBody(data);
            if (used === null)
                break;
            data = data.subarray(used);
        }
        // The buffer is used again for the next bytes: what is not understood yet must be copied.
        if (data.length > 0)
            this.rest = Buffer.from(data);
    }
    readHead(head) {
        this.status = Number(head.slice(9, 12));
        const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
        this.chunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
        this.left = Number(length ?? 0);
        this.body = [];
    }
    /** @returns the number of bytes used; null: more must come first */
    readBody(data) {
        const used = Math.min(this.left ?? 0, data.length);
        this.keep(data.subarray(0, used));
        this.left = (this.left ?? 0) - used;
        if (this.left > 0)
            return used === 0 ? null : used;
        this.finish();
        return used;
    }
    readChunk(data) {
        if (this.left !== null && this.left > 0) {
            const used = Math.min(this.left, data.length);
            // The line break behind a chunk counts as part of it.
            this.keep(data.subarray(0, Math.min(used, Math.max(this.left - 2, 0))));
            this.left -= used;
            return used === 0 ? null : used;
        }
        const end = data.indexOf('\r\n');
        if (end === -1)
            return null;
        const size = Number.parseInt(data.toString('latin1', 0, end), 16);
        if (size > 0) {
            this.left = size + 2;
            return end + 2;
        }
        if (data.length < end + 4)
            return null;
        this.finish();
        return end + 4;
    }
    keep(bytes) {
        if (this.keepsBody)
            this.body.push(Buffer.from(bytes));
    }
    finish() {
        const { onResponse } = this;
        this.onResponse = null;
        this.left = null;
        onResponse?.(this.status, this.keepsBody ? Buffer.concat(this.body).toString() : '');
    }
}
