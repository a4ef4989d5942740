import type { PipeTransform } from '@nestjs/common';
import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { badRequest } from '../../errors/domain-error.js';
import { isWithin, type PatchOperation, type Pointer, placeOf } from '../../json/json-patch.js';
import { keepAsText, repeatedIn } from '../../json/json-reader.js';
import { JsonText, MAX_DEPTH } from '../../json/json-text.js';
import { thrownBy } from '../../openapi/operation.js';
import { problemOfText } from '../../validation/fields.js';

/** The media type of JSON Patch. */
export const JSON_PATCH = 'application/json-patch+json';

/** Operations in a patch, at most. */
export const MAX_OPERATIONS = 100;

const OPS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;
/** The members of an operation; others are ignored. */
const MEMBERS: readonly string[] = ['op', 'path', 'from', 'value'];
const OPS_WITH_VALUE: readonly unknown[] = ['add', 'replace', 'test'];

/** OpenAPI has no word for it that all generators know. */
const ANY_VALUE = [
  { type: 'object' as const, additionalProperties: true },
  { type: 'array' as const, items: {} },
  { type: 'string' as const },
  { type: 'number' as const },
  { type: 'boolean' as const },
  { type: 'null' as const },
];

@ApiSchema({
  name: 'PatchOperation',
  description: 'An operation of a JSON Patch (RFC 6902); members that it does not use are ignored.',
})
export class PatchOperationRequest {
  @ApiProperty({ enum: OPS, description: 'What to do.' })
  op!: string;

  @ApiProperty({
    description:
      'Place in the content, as a JSON Pointer (RFC 6901); `-` is the place after the last element of an array.',
  })
  path!: string;

  @ApiProperty({
    required: false,
    description: 'Of `move` and `copy`: the place of the value, as a JSON Pointer.',
  })
  from?: string;

  @ApiProperty({
    oneOf: ANY_VALUE,
    required: false,
    description: 'Of `add`, `replace` and `test`: any JSON value. Numbers keep their digits.',
  })
  value?: unknown;
}

/** The body, for the document. */
export const PATCH_SCHEMA = {
  type: 'array',
  maxItems: MAX_OPERATIONS,
  items: { $ref: getSchemaPath(PatchOperationRequest) },
};

// Numbers, too: JSON.parse would round them.
keepAsText('value', 'all');

/**
 * Validates the body of a patch. Not by a request class: RFC 6902 ignores unknown members, which those reject;
 * values are kept as text; and the place of a problem is that of an operation in a list without a name.
 */
export class PatchPipe implements PipeTransform<unknown, PatchOperation[]> {
  /** @throws DomainError bad_request: the first problem, with its place */
  transform(body: unknown): PatchOperation[] {
    if (!Array.isArray(body) || body.length > MAX_OPERATIONS) {
      throw badRequest(`the body must be a list of at most ${MAX_OPERATIONS} operations`);
    }
    const repeated = repeatedIn(body).find(({ name }) => MEMBERS.includes(name));
    if (repeated)
      throw badRequest(`${placeOf(repeated.index)}.${repeated.name} must be given once`);
    return body.map(toOperation);
  }
}

/** The errors of malformed patches, for the document. */
export const patchErrors = (...bodies: unknown[]) =>
  thrownBy(...bodies.map((body) => () => new PatchPipe().transform(body)));

function toOperation(given: unknown, n: number): PatchOperation {
  const place = placeOf(n);
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject) throw badRequest(`${place} must be a JSON object`);
  const { op, ...members } = given as Record<string, unknown>;
  const path = toPointer(members, 'path', place);
  if (OPS_WITH_VALUE.includes(op)) {
    return { op: op as 'add', path, value: toValue(members.value, place) };
  }
  if (op === 'remove') return { op, path };
  if (op !== 'move' && op !== 'copy') {
    throw badRequest(`${place}.op must be one of ${OPS.join(', ')}`);
  }
  const from = toPointer(members, 'from', place);
  if (op === 'move' && path.length > from.length && isWithin(path, from)) {
    throw badRequest(`${place}.path must not lie in the value that moves`);
  }
  return { op, path, from };
}

function toValue(value: unknown, place: string): JsonText {
  if (!(value instanceof JsonText)) throw badRequest(`${place}.value is required`);
  if (value.problem) throw badRequest(`${place}.value ${value.problem}`);
  return value;
}

/** Names of a pointer that are read: with more, it leads deeper than content goes. */
const MAX_NAMES = MAX_DEPTH + 2;

function toPointer(members: Record<string, unknown>, name: string, place: string): Pointer {
  const field = `${place}.${name}`;
  const text = members[name];
  if (text === undefined) throw badRequest(`${field} is required`);
  if (typeof text !== 'string') throw badRequest(`${field} must be a string`);
  const problem = problemOfText(text);
  if (problem) throw badRequest(`${field} ${problem}`);
  if ((text !== '' && !text.startsWith('/')) || /~(?![01])/.test(text)) {
    throw badRequest(
      `${field} must be a JSON Pointer: empty, or names that each begin with /, with ~ written as ~0 and / as ~1`,
    );
  }
  const names = text.split('/', MAX_NAMES).slice(1);
  return names.map((written) => written.replaceAll('~1', '/').replaceAll('~0', '~'));
}
