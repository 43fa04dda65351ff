/** Parts of the JSON schemas of the tools, from the tables of the catalogue. */
import { CATALOGUE } from './catalogue.ts';

/** A JSON schema, as far as the tools use it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly default?: unknown;
}

/** The most that a call may cost if the caller does not say. */
export const CREDITS_MAX = 100;
const CREDITS_LIMIT = 10_000;
const FILTER_LENGTH_MAX = 8_000;
const LIST_LENGTH_MAX = 2_000;
/** The greatest page of the smallest plan, so that no plan rejects one. */
export const TOP_MAX = 100;

export const DIMENSION_IDS = CATALOGUE.dimensions.map(({ id }) => id);
export const ENTITIES = ['startups', 'funds', 'rounds'] as const;

export const text = (description: string, maxLength: number): Schema => {
  return { type: 'string', minLength: 1, maxLength, description };
};

export const integer = (description: string, minimum: number, maximum: number): Schema => {
  return { type: 'integer', minimum, maximum, description };
};

export const list = (description: string, items: Schema, maxItems: number): Schema => {
  return { type: 'array', description, items, minItems: 1, maxItems, uniqueItems: true };
};

export const oneOf = (description: string, values: readonly string[]): Schema => {
  return { type: 'string', enum: values, description };
};

export const uuid = (description: string): Schema => {
  return { type: 'string', pattern: '^[0-9a-fA-F-]{36}$', description };
};

export const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => {
  return { type: 'object', properties, required, additionalProperties: false };
};

export const MAX_CREDITS: Schema = {
  ...integer('Reject the call if it could cost more.', 0, CREDITS_LIMIT),
  default: CREDITS_MAX,
};

export const FILTER = text(
  "A condition: Country eq 'France' and TotalRaised ge 5e6. Operators by type: text eq ne in like ('%' any); " +
    "numbers and dates also lt le gt ge; lists of values: Tag in ('AI','Robotics'); null; and or not ( ). " +
    "Stages by label: Stage eq 'Series A'.",
  FILTER_LENGTH_MAX,
);
const WRITTEN_LISTS = new WeakSet<Schema>();

/** A text with values that are separated by commas, which may also be a JSON list. */
function writtenList(schema: Schema): Schema {
  WRITTEN_LISTS.add(schema);
  return schema;
}

/** Whether the values of a list may be joined to a text of this schema. */
export function isWrittenList(schema: Schema): boolean {
  return WRITTEN_LISTS.has(schema);
}

/** The schema with another description. */
export function described(schema: Schema, description: string): Schema {
  const copy = { ...schema, description };
  return isWrittenList(schema) ? writtenList(copy) : copy;
}

export const SELECT = writtenList(
  text('Fields to return, such as Id,Name. Default: the main ones.', LIST_LENGTH_MAX),
);
export const EXPAND = writtenList(
  text('Relations to include, such as Funds. Each adds 25 % to the price.', LIST_LENGTH_MAX),
);
export const ORDER_BY = writtenList(
  text('Such as TotalRaised desc,Name. Null is last in desc.', 500),
);

export const CURSOR = text(
  'next_cursor of an earlier answer to the same call, unchanged: continues after it.',
  500,
);

export const NARROW: Schema = {
  ...object(Object.fromEntries(DIMENSION_IDS.map((id) => [id, writtenList({ type: 'string' })]))),
  description:
    'By values of dimensions, several separated by commas: {"country":"United Kingdom","industry":"AI,Fintech"}. ' +
    'Rounds also by those of their startup.',
};

/** The schema of an answer: its members, the credits, and what was cut; instructions explain these two. */
export const answer = (properties: Readonly<Record<string, Schema>>): Schema => {
  return {
    type: 'object',
    properties: { ...properties, credits: MAP, cut: { type: 'string' } },
    required: [...Object.keys(properties).filter((name) => !/^(next|hint)/.test(name)), 'credits'],
  };
};

export const RECORDS: Schema = { type: 'array', items: { type: 'object' } };
export const MAP: Schema = { type: 'object' };
