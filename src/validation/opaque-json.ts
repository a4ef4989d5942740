import { applyDecorators } from '@nestjs/common';
import { Exclude } from 'class-transformer';
import { keepAsText } from '../json/json-reader.js';
import { JsonText } from '../json/json-text.js';
import { Field } from './fields.js';

/** A JSON object that comes back equal in value, or is refused. The field's type is JsonText. */
export function JsonObject(options: {
  optional?: boolean;
  description: string;
  example?: unknown;
}): PropertyDecorator {
  return applyDecorators(
    (_request: object, field: string | symbol) => keepAsText(String(field)),
    Field(
      (value) => (value instanceof JsonText ? value.problem : 'must be a JSON object'),
      { type: 'object', additionalProperties: true },
      options,
      { opaque: true },
    ),
    // class-transformer would copy it; the pipe hands it on as it came.
    Exclude({ toClassOnly: true }),
  );
}
