import { type SchemaObject, TEXT } from '@vcds/openapi';

/** A text that is one of these values. */
export const enumOf = (values: readonly string[], description?: string): SchemaObject => ({
  ...TEXT,
  enum: [...values],
  ...(description !== undefined && { description }),
});
/** A text with a description. */
export const text = (description: string): SchemaObject => ({ ...TEXT, description });
