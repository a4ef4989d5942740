import { destination, pino } from 'pino';
import { readableLog } from './readable-log.js';
import { reportedCause, reportedError } from './reported-error.js';
/** Bytes of lines that are written at once, and milliseconds that a line waits at most. */
const WRITTEN_AT_ONCE = 4096;
const LONGEST_WAIT = 500;
/** Contexts of Nest's own messages at the start: logged at level debug. */
const NEST = new Set([
    'InstanceLoader',
    'NestApplication',
    'NestFactory',
    'RouterExplorer',
    'RoutesResolver',
]);
/**
 * The log: one JSON object a line on the standard output; text at a terminal outside production.
 * Lines of a busy service are written several at a time, errors at once.
 */
export function createLog(config) {
    const options = {
        level: config.logLevel,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        serializers: { err: reportedError, cause: reportedCause },
    };
    if (!config.production && process.stdout.isTTY)
        return pino(options, readableLog(process.stdout));
    return pino(options, bufferedOutput());
}
function bufferedOutput() {
    const out = destination({ fd: 1, sync: false, minLength: WRITTEN_AT_ONCE });
    let isWaiting = false;
    let isDue = false;
    // During a write flush() does nothing: later lines are written after it.
    const flushNow = () => {
        isDue = true;
        out.flush();
    };
    out.on('drain', () => {
        if (!isDue)
            return;
        isDue = false;
        out.flush();
    });
    const flush = () => {
        isWaiting = false;
        flushNow();
    };
    return {
        write(line) {
            out.write(line);
            if (URGENT.test(line))
                return flushNow();
            if (isWaiting)
                return;
            isWaiting = true;
            setTimeout(flush, LONGEST_WAIT).unref();
        },
    };
}
const URGENT = /^{"level":"(?:error|fatal)"/;
/** Nest's own logger, and every `new Logger('context')`, over the log. */
export class NestLog {
    target;
    constructor(target) {
        this.target = target;
    }
    log = (message, ...rest) => this.say(NEST.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
    debug = (message, ...rest) => this.say('debug', message, rest);
    verbose = (message, ...rest) => this.say('trace', message, rest);
    warn = (message, ...rest) => this.say('warn', message, rest);
    error = (message, ...rest) => this.say('error', message, rest);
    fatal = (message, ...rest) => this.say('fatal', message, rest);
    /** The last word of `rest` is the context; an Error, or the text of a stack, may come before. */
    say(level, message, rest) {
        const context = rest.at(-1);
        const err = [message, ...rest].find((part) => part instanceof Error);
        const stack = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined;
        this.target[level]({ context, ...(err !== undefined && { err }), ...(stack !== undefined && { stack }) }, message instanceof Error ? message.message : String(message));
    }
}
//# sourceMappingURL=logger.js.map