import { ConsoleLogger, type LoggerService, type LogLevel as NestLevel } from '@nestjs/common';
import type { LogLevel } from '../config/config.js';

/** Nest's levels, by the LOG_LEVEL that lets them through. */
const LEVELS: Record<LogLevel, NestLevel[]> = {
  silent: [],
  fatal: ['fatal'],
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  // Nest's own start-up lines are of its level «log»: a line a route is for those who debug.
  info: ['fatal', 'error', 'warn'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug'],
  trace: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/** One JSON line an entry, on standard error in case of errors. */
export function createLogger(level: LogLevel): LoggerService | false {
  if (level === 'silent') return false;
  return new ConsoleLogger('teamspaces', { json: true, logLevels: LEVELS[level] });
}
