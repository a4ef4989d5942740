const COLOURS = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 };
/** Writes the JSON lines of the log as text for a person at a terminal. */
export function readableLog(out) {
    return { write: (line) => void out.write(`${readable(JSON.parse(line))}\n`) };
}
function readable({ time, level, msg, context, pid, hostname, err, ...fields }) {
    const { method, route, status, durationMs, requestId, userId, ...others } = fields;
    const words = [
        new Date(time).toTimeString().slice(0, 8),
        level === 'info' ? '' : `\u001b[${COLOURS[level] ?? 0}m${level}\u001b[0m`,
        context && `[${context}]`,
        method && `${method} ${route} ${status} ${durationMs} ms`,
        msg,
        ...Object.entries(others).map(([name, value]) => `${name}=${text(value)}`),
        err && `\n  ${err.type}: ${err.message}\n    ${(err.stack ?? '').replaceAll('\n', '\n    ')}`,
    ];
    return words.filter(Boolean).join(' ').trimEnd();
}
const text = (value) => typeof value === 'string' ? value : JSON.stringify(value);
//# sourceMappingURL=readable-log.js.map