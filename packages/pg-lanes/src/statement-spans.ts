import type { EventEmitter } from 'node:events';
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import pg from 'pg';

type Call = (this: unknown, ...args: unknown[]) => unknown;
type Callback = (...args: unknown[]) => unknown;

/**
 * Makes every statement of the process a span, within the request that sends it. Statements that several requests share
 * are within the one that has begun them.
 * @param tracerName what the spans say of their origin
 */
export function traceStatements(tracerName: string): void {
  const client = pg.Client.prototype as unknown as { query: Call };
  client.query = traced(client.query, tracerName);
  const pool = pg.Pool.prototype as unknown as { connect: Call };
  const { connect } = pool;
  // A caller that waits for a connection is called by the one that returns it.
  pool.connect = function (callback?: unknown) {
    if (typeof callback !== 'function') return connect.call(this);
    return connect.call(this, context.bind(context.active(), callback as Callback));
  };
}

function traced(query: Call, tracerName: string): Call {
  const tracer = trace.getTracer(tracerName);
  return function (this: unknown, ...args: unknown[]) {
    const { name, text } = statementOf(args[0]);
    const span = tracer.startSpan(name, {
      kind: SpanKind.CLIENT,
      // The text has parameters in place of values.
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    });
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const back: Callback = (error, ...rest) => {
        end(span, error);
        return callback(error, ...rest);
      };
      return query.call(this, ...args.slice(0, -1), context.bind(context.active(), back));
    }
    const result = query.apply(this, args);
    if (result instanceof Promise) {
      result.then(
        () => end(span),
        (error) => end(span, error),
      );
    } else {
      // A pg.Query, whose rows are taken as they come.
      const read = result as EventEmitter;
      read.once('end', () => end(span));
      read.once('error', (error) => end(span, error));
    }
    return result;
  };
}

function statementOf(given: unknown): { name: string; text: string } {
  const { name, text } =
    typeof given === 'string'
      ? { name: undefined, text: given }
      : (given as Partial<pg.QueryConfig>);
  const known = typeof text === 'string' ? text : '';
  return { name: isReadable(name) ? name : summaryOf(known), text: known };
}

/** Repositories name their statements; through a pooler they have no name. */
const isReadable = (name: string | undefined): name is string => name?.includes('.') === true;

const TABLE = String.raw`(?:"?public"?\.)?"?([a-z_]+)`;
const WRITE = new RegExp(
  String.raw`(?:\b(INSERT)\s+INTO|\b(DELETE)\s+FROM|(?<!\b(?:FOR|KEY|DO)\s+)\b(UPDATE))\s+${TABLE}`,
  'i',
);
const READ = new RegExp(String.raw`\b(SELECT)\b.*?\bFROM\s+${TABLE}\b(?!\()`, 'is');

/** The verb and the table of a statement, such as `SELECT users`; its first word where it has none. */
export function summaryOf(text: string): string {
  const [, ...groups] = WRITE.exec(text) ?? READ.exec(text) ?? [];
  const [verb, table] = groups.filter(Boolean);
  if (verb !== undefined && table !== undefined) return `${verb.toUpperCase()} ${table}`;
  return text.trim().split(/\s/, 1)[0] || 'statement';
}

function end(span: Span, error?: unknown): void {
  if (error) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
