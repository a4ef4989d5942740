import type { PipeTransform } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { PatchOperation } from '@teamspaces/json-text/json-patch';
import { MAX_OPERATIONS, OPS, readPatch } from '@teamspaces/json-text/patch-operations';
import { ofJson } from '../../errors/json-error.js';
import { Property, Schema } from '../../openapi/property.js';

/** The media type of JSON Patch. */
export const JSON_PATCH = 'application/json-patch+json';

/** OpenAPI has no word for it that all generators know. */
const ANY_VALUE = [
  { type: 'object' as const, additionalProperties: true },
  { type: 'array' as const, items: {} },
  { type: 'string' as const },
  { type: 'number' as const },
  { type: 'boolean' as const },
  { type: 'null' as const },
];

@Schema(
  'An operation of a JSON Patch (RFC 6902); members that it does not use are ignored.',
  'PatchOperation',
)
export class PatchOperationRequest {
  @Property('What to do.', { enum: OPS }) op!: string;

  @Property(
    'Place in the content, as a JSON Pointer (RFC 6901); `-` is the place after the last element of an array.',
  )
  path!: string;

  @Property('Of `move` and `copy`: the place of the value, as a JSON Pointer.', { optional: true })
  from?: string;

  @Property('Of `add`, `replace` and `test`: any JSON value. Numbers keep their digits.', {
    optional: true,
    oneOf: ANY_VALUE,
  })
  value?: unknown;
}

/** The body, for the document. */
export const PATCH_SCHEMA = {
  type: 'array',
  maxItems: MAX_OPERATIONS,
  items: { $ref: getSchemaPath(PatchOperationRequest) },
};

/**
 * Validates the body of a patch. Not by a request class: RFC 6902 ignores unknown members, which those reject;
 * values are kept as text; and the place of a problem is that of an operation in a list without a name.
 */
export class PatchPipe implements PipeTransform<unknown, PatchOperation[]> {
  /** @throws DomainError bad_request: the first problem, with its place */
  transform(body: unknown): PatchOperation[] {
    try {
      return readPatch(body);
    } catch (error) {
      throw ofJson(error);
    }
  }
}
