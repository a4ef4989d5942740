import { applyDecorators } from '@nestjs/common';
import { Exclude } from 'class-transformer';
import { Field, malformedText } from './fields.js';
import { jsonText } from './json-source.js';

/** Limits of a page's content. */
const MAX_CONTENT_BYTES = 1024 * 1024;
const MAX_CONTENT_DEPTH = 64;

/** A JSON object that comes back equal in value, or is refused. */
export function JsonObject(options: {
  optional?: boolean;
  description: string;
  example?: unknown;
}): PropertyDecorator {
  return applyDecorators(
    Field(
      (value) => (isObject(value) ? problemOf(value) : 'must be a JSON object'),
      { type: 'object', additionalProperties: true },
      options,
      { opaque: true },
    ),
    // class-transformer would copy it key by key; the pipe hands it on as it came.
    Exclude({ toClassOnly: true }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Walks level by level, without recursion: the input decides the depth. What is no container costs
 * one look, so that a megabyte of numbers holds nobody up.
 */
function problemOf(content: object): string | null {
  let level: object[] = [content];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_CONTENT_DEPTH) return `must be nested at most ${MAX_CONTENT_DEPTH} deep`;
    const below: object[] = [];
    for (const container of level) {
      const problem = Array.isArray(container)
        ? problemOfList(container, below)
        : problemOfObject(container as Record<string, unknown>, below);
      if (problem) return problem;
    }
    level = below;
  }
  return null;
}

function problemOfList(list: readonly unknown[], below: object[]): string | null {
  for (const value of list) {
    const problem = problemOfValue(value, below);
    if (problem) return problem;
  }
  return null;
}

/** Not by Object.entries() or values(), which are slow on an object of 70,000 keys. */
function problemOfObject(object: Record<string, unknown>, below: object[]): string | null {
  for (const key of Object.keys(object)) {
    const problem = malformedText(key) ?? problemOfValue(object[key], below);
    if (problem) return problem;
  }
  return null;
}

/** @param below gets the value, if it is a container */
function problemOfValue(value: unknown, below: object[]): string | null {
  if (typeof value === 'string') return malformedText(value);
  if (typeof value === 'object') {
    if (value !== null) below.push(value);
    return null;
  }
  const isInfinite = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
  return isInfinite ? 'must not hold a number beyond 1.8e308' : null;
}

/** What is wrong with the size of such an object in a body: as JSON text, its numbers as sent. */
export const problemOfSize = (content: object): string | null =>
  Buffer.byteLength(jsonText(content)) > MAX_CONTENT_BYTES ? 'must be at most 1 MiB of JSON' : null;
