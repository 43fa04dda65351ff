/** Schemas of OpenAPI 3.0 that both services use. Objects are strict: no undescribed member. */
import type { ReferenceObject, SchemaObject } from './types.ts';

export type Schema = SchemaObject | ReferenceObject;

export const TEXT: SchemaObject = { type: 'string' };
export const UUID: SchemaObject = { type: 'string', format: 'uuid' };
export const URI: SchemaObject = { type: 'string', format: 'uri' };
/** `YYYY-MM-DD`. */
export const DATE: SchemaObject = { type: 'string', format: 'date' };
/** ISO 8601 in UTC with `Z`. */
export const INSTANT: SchemaObject = { type: 'string', format: 'date-time' };
/** Whole US dollars. */
export const USD: SchemaObject = { type: 'integer', format: 'int64', 'x-unit': 'USD' };
/** Only null. */
export const NULL: SchemaObject = { type: 'string', nullable: true, enum: [null] };

/** The same schema or null; a reference becomes a choice, because 3.0 forbids members beside it. */
export function nullable(schema: Schema): SchemaObject {
  if ('$ref' in schema) return { oneOf: [schema, NULL] };
  const values = schema.enum && { enum: [...schema.enum, null] };
  return { ...schema, ...values, nullable: true };
}

/** An object with exactly these members; those in `optional` may be absent. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  { optional = [], ...more }: SchemaObject & { readonly optional?: readonly string[] } = {},
): SchemaObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    ...more,
    properties: { ...properties },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export function arrayOf(items: Schema, more: SchemaObject = {}): SchemaObject {
  return { type: 'array', ...more, items };
}

/** A reference to a schema of the components. */
export function ref(name: string): ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}
