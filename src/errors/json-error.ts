import { JsonError, type JsonErrorCode } from '@teamspaces/json-text/errors';
import { DomainError, type ErrorCode } from './domain-error.js';

const CODES: Record<JsonErrorCode, ErrorCode> = {
  invalid: 'bad_request',
  not_applicable: 'unprocessable_entity',
  test_failed: 'conflict',
};

/** The error that the service reports for one of JSON; any other is returned as it is. */
export function ofJson(error: JsonError): DomainError;
export function ofJson(error: unknown): unknown;
export function ofJson(error: unknown): unknown {
  return error instanceof JsonError ? new DomainError(CODES[error.code], error.message) : error;
}
