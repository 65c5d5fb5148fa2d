import { BatchRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { type About, ANSWERS, BatchItem, REQUESTS } from './bodies.ts';

export type JsonSchema = Record<string, unknown>;

const NAMES = new Map(Object.entries({ ...REQUESTS, ...ANSWERS }).map(([name, { schema }]) => [schema, name]));

/** @throws where the schema is none of the components, which is a fault in an endpoint's description */
export function reference(schema: z.ZodMiniType): JsonSchema {
  const name = NAMES.get(schema as z.ZodMiniObject);
  if (!name) throw new Error('A schema of the API is missing among the components of its description.');
  return { $ref: `#/components/schemas/${name}` };
}

/** Every body of the API as JSON Schema (2020-12), by its name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...convert(REQUESTS, 'input'), ...convert(ANSWERS, 'output') };
}

function convert(abouts: Record<string, About>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(abouts)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: plain });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, properties, ...rest } = schema as JsonSchema;
      const { description, fields } = abouts[id] as About;
      return [id, { description, ...rest, properties: describe(properties as Record<string, JsonSchema>, fields) }];
    }),
  );
}

function describe(properties: Record<string, JsonSchema>, fields: Record<string, string>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { description: fields[name], ...schema }]),
  );
}

/** Leaves out what says nothing: the range of safe integers, a pattern beside its format. Answers may grow fields. */
export function plain({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.additionalProperties;
  // The schema that validates a batch takes items of any shape, since each is validated by itself.
  if (zodSchema === BatchRequest.shape.urls) jsonSchema.items = reference(BatchItem);
}
