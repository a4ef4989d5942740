import { notJson } from '@teamspaces/json-text/errors';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import type { Failure } from '../errors/error-response.js';

/** Path of the endpoint. */
export const MCP_PATH = '/mcp';
/** Path of what clients read to log in (RFC 9728). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Codes of JSON-RPC; the last one is for whatever has no other code. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

const NOT_JSON = notJson().message;

/**
 * What a refusal by the service looks like at the endpoint: an error of JSON-RPC with the sentence of the API. A 401 says
 * where the caller can log in, if there is an issuer.
 */
export function protocolFailure({ publicUrl, issuer }: Config) {
  return (request: FastifyRequest, failure: Failure) => {
    if (request.routeOptions.url !== MCP_PATH) return failure;
    const { code, message, doc_url } = failure.body.error;
    const headers = { ...failure.headers };
    const challenge = headers['www-authenticate'];
    if (failure.status === 401 && challenge !== undefined && issuer !== null) {
      const separator = challenge === 'Bearer' ? ' ' : ', ';
      headers['www-authenticate'] =
        `${challenge}${separator}resource_metadata="${publicUrl}${METADATA_PATH}${MCP_PATH}"`;
    }
    const ofMessage = message === NOT_JSON ? PARSE_ERROR : INVALID_REQUEST;
    const number = failure.status === 400 ? ofMessage : SERVER_ERROR;
    const error = { code: number, message, data: { code, doc_url } };
    return { headers, body: { jsonrpc: '2.0', id: null, error } };
  };
}
