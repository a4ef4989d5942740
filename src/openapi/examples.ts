interface Schema {
  $ref?: string;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  example?: unknown;
}

/** Gives every schema an example as a whole, put together from those of its properties. */
export function withExamples<Schemas extends object>(schemas: Schemas): Schemas {
  const all = schemas as Record<string, Schema>;
  const entries = Object.entries(all).map(([name, schema]) => [
    name,
    { ...schema, example: exampleOf(schema, all) },
  ]);
  return Object.fromEntries(entries) as Schemas;
}

function exampleOf(schema: Schema, all: Record<string, Schema>): unknown {
  if (schema.example !== undefined) return schema.example;
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  const target = ref && all[ref.slice(ref.lastIndexOf('/') + 1)];
  if (target) return exampleOf(target, all);
  if (schema.items) return [exampleOf(schema.items, all)];
  if (!schema.properties) return undefined;
  const entries = Object.entries(schema.properties).map(([name, property]) => [
    name,
    exampleOf(property, all),
  ]);
  return Object.fromEntries(entries.filter(([, example]) => example !== undefined));
}
