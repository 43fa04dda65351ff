import type { SchemaObject } from 'ajv';

/** The body that an endpoint accepts. */
export interface RequestBody {
  readonly bytesMax: number;
  /** Members of objects and elements of lists, in all. */
  readonly membersMax: number;
  /** Of OpenAPI 3.0, without references: closed objects, and bounds for every text and list. */
  readonly schema: SchemaObject;
  /** The body of the example of the description, with its example ids. */
  readonly example: unknown;
}
