const PLACEHOLDER = /\{(n|kept)\}/;
const PLACEHOLDERS = new RegExp(PLACEHOLDER, 'g');
/** Writes as much of a call's request in advance as is the same each time. Bodies are ASCII. */
export function prepare({ caller, method, path, body }, { port, tokens }) {
    const json = body === undefined ? '' : JSON.stringify(body);
    const headers = ` HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${tokens[caller]}\r\n`;
    const write = (path, json) => body === undefined
        ? `${method} ${path}${headers}\r\n`
        : `${method} ${path}${headers}content-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
    if (!PLACEHOLDER.test(path) && !PLACEHOLDER.test(json)) {
        const ready = write(path, json);
        return () => ready;
    }
    return (n, kept) => {
        const fill = (text) => text.replace(PLACEHOLDERS, (_, name) => (name === 'n' ? n : kept));
        return write(fill(path), fill(json));
    };
}
