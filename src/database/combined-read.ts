import { createHash } from 'node:crypto';
import type { PreparedRead, PreparedStatement } from './database.js';
import type { Rows } from './pipelined-transaction.js';

/** A statement that reads are part of. */
export interface Frame {
  name: string;
  /** What stands for the first parameters of the reads, which they share. */
  shared: readonly string[];
  /** Parameters of the statement itself: those of the reads come after them. */
  parameters: number;
  text(reads: string): string;
}

/** Combinations by the names of their parts: there are as many as kinds of commands. */
const combinations = new Map<string, PreparedStatement>();

/**
 * Puts reads together into one statement: one snapshot for all of them, and a fraction of the cost of
 * sending each. They end in no semicolon or comment.
 * @param reads their values without those that they share
 * @returns the values of the reads alone
 */
export function combineReads(frame: Frame, reads: readonly PreparedRead[]): PreparedRead {
  const key = [frame, ...reads.map(([statement]) => statement)].map(({ name }) => name).join(' ');
  let combined = combinations.get(key);
  if (!combined) {
    // PostgreSQL takes names of 63 bytes.
    const name = `${frame.name}.${createHash('sha1').update(key).digest('base64url')}`;
    const wide = reads.some(([statement]) => statement.wide);
    combined = { name, text: frame.text(combinedText(frame, reads)), wide };
    combinations.set(key, combined);
  }
  return [combined, reads.flatMap(([, values]) => values)];
}

function combinedText({ shared, parameters }: Frame, reads: readonly PreparedRead[]): string {
  let offset = parameters - shared.length;
  const texts = reads.map(([{ text }, values], part) => {
    const numbered = text.replace(
      /\$(\d+)/g,
      (_, digits: string) => shared[Number(digits) - 1] ?? `$${Number(digits) + offset}`,
    );
    offset += values.length;
    return `SELECT ${part} AS part, to_json(found) AS row FROM (${numbered}) AS found`;
  });
  return texts.join('\nUNION ALL\n');
}

/** The rows of each of `count` reads, from what their combination returns; times come as text. */
export function separateReads(rows: readonly Rows[number][], count: number): Rows[] {
  const separate: Rows[] = Array.from({ length: count }, () => []);
  for (const { part, row } of rows) separate[part]?.push(row);
  return separate;
}
