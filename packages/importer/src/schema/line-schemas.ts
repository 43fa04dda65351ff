/** The JSON Schemas of import lines, one a record type, derived from the record tables. */

import { IDENTIFIER_MAX, SCHEME_NAMES } from '@vcds/venture-model';
import { addressParts } from '../normalise/address.ts';
import { formsOf } from '../normalise/closed-lookup.ts';
import { SPELLING_MAX } from '../normalise/text.ts';
import { recordTables } from '../records/index.ts';
import {
  type AnyRecordTable,
  EITHER_TYPES,
  type FieldRow,
  type Kind,
  type RecordType,
} from '../records/kinds.ts';

/** The operation of a line. */
export type Op = 'upsert' | 'mention' | 'patch' | 'delete';
export const OPS: readonly Op[] = ['upsert', 'mention', 'patch', 'delete'];

/** A JSON Schema, draft 2020-12, with the formats `day` (a day or instant) and `instant`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const SOURCE_MAX = 100;
export const KEY_MAX = 1000;
export const moneyMax = Number.MAX_SAFE_INTEGER;
const LIST_MAX = 1000;
/** Identifiers of a company. */
export const IDENTIFIERS_MAX = 100;

const SOURCE = {
  type: 'string',
  minLength: 1,
  maxLength: SOURCE_MAX,
  pattern: '^[^\\p{Cc}\\p{Cs}]+$',
};
const KEY = { type: 'string', minLength: 1, maxLength: KEY_MAX, pattern: '^[^\\0\\p{Cs}]+$' };
const ID = { type: 'string', format: 'uuid' };
const text = (max = 10_000) => ({ type: 'string', maxLength: max });
const closed = (row: FieldRow) => ({ enum: (row.closed ?? []).flatMap((value) => formsOf(value)) });

const refForms = (extra: JsonSchema, required: readonly string[]) => [
  object({ source: SOURCE, key: KEY, ...extra }, ['key', ...required]),
  object({ Id: ID, ...extra }, ['Id', ...required]),
];
const ref = { anyOf: refForms({}, []) };
const INVESTOR_TYPE = { enum: EITHER_TYPES.investor };
const investor = { anyOf: refForms({ type: INVESTOR_TYPE }, ['type']) };
const company = { anyOf: refForms({ type: { enum: EITHER_TYPES.company } }, ['type']) };
const listed = {
  anyOf: refForms({ type: INVESTOR_TYPE, Lead: { type: ['boolean', 'null'] } }, ['type']),
};

const kindSchemas: Readonly<Record<Kind, (row: FieldRow) => JsonSchema>> = {
  text: (row) => text(row.max),
  series: (row) => text(row.max),
  url: (row) => text(row.max),
  site: (row) => text(row.max),
  year: () => ({ type: 'integer', minimum: 1000, maximum: 2999 }),
  count: () => ({ type: 'integer', minimum: 0, maximum: 2_147_483_647 }),
  money: () => ({ type: 'number', minimum: 0, maximum: moneyMax }),
  currency: () => ({ type: 'string', pattern: '^[A-Z]{3}$' }),
  date: () => ({ type: 'string', format: 'day' }),
  instant: () => ({ type: 'string', format: 'instant' }),
  boolean: () => ({ type: 'boolean' }),
  closed,
  status: closed,
  statusSource: closed,
  closedList: (row) => ({ type: 'array', maxItems: LIST_MAX, items: closed(row) }),
  place: () => text(SPELLING_MAX),
  places: () => ({ type: 'array', maxItems: LIST_MAX, items: text(SPELLING_MAX) }),
  terms: () => ({ type: 'array', maxItems: LIST_MAX, items: text(SPELLING_MAX) }),
  addresses: () => ({
    type: 'array',
    maxItems: LIST_MAX,
    items: object(
      Object.fromEntries(addressParts.map(([part]) => [part, { type: ['string', 'null'] }])),
      [],
    ),
  }),
  identifiers: () => ({
    type: 'array',
    maxItems: IDENTIFIERS_MAX,
    items: {
      anyOf: [
        text(IDENTIFIER_MAX),
        object({ Scheme: { enum: SCHEME_NAMES }, Value: text(IDENTIFIER_MAX) }, [
          'Scheme',
          'Value',
        ]),
      ],
    },
  }),
  ref: () => ref,
  investor: () => investor,
  company: () => company,
  page: (row) => text(row.max),
  investors: () => ({ type: 'array', maxItems: LIST_MAX, items: listed }),
};

/** The schema of lines of one type and operation. */
export function lineSchema(type: RecordType, op: Op): JsonSchema {
  const { fields, dated = false }: AnyRecordTable = recordTables[type];
  const rows = Object.entries(fields).filter(([, row]) => carries(op, row));
  const required = rows.filter(([, row]) => isRequired(op, row)).map(([name]) => name);
  const keyed = !Object.values(fields).some((row) => row.identity === true);
  return {
    ...object(
      {
        op: { const: op },
        type: { const: type },
        source: SOURCE,
        key: KEY,
        occurredAt: { type: dated ? 'string' : ['string', 'null'], format: 'instant' },
        ...Object.fromEntries(rows.map(([name, row]) => [name, fieldSchema(row)])),
      },
      [
        ...(op === 'upsert' ? [] : ['op']),
        'type',
        'source',
        ...(keyed ? ['key'] : []),
        ...(dated ? ['occurredAt'] : []),
        ...required,
      ],
    ),
    dependentRequired: dependents(op, fields),
  };
}

/** One schema a record type: what the documentation prints. */
export const lineSchemas: ReadonlyMap<RecordType, JsonSchema> = new Map(
  Object.values(recordTables).map(({ type, doc }) => [
    type,
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
      description: doc,
      oneOf: OPS.map((op) => lineSchema(type, op)),
    },
  ]),
);

function carries(op: Op, row: FieldRow): boolean {
  if (op === 'delete') return row.identity === true;
  return op !== 'mention' || row.kind !== 'investors';
}

function isRequired(op: Op, row: FieldRow): boolean {
  return row.identity === true || (row.required === true && op !== 'patch');
}

function fieldSchema(row: FieldRow): JsonSchema {
  const schema = { description: row.doc, ...kindSchemas[row.kind](row) };
  return row.required === true ? schema : nullable(schema);
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  return { ...schema, anyOf: [...(schema.anyOf as readonly JsonSchema[]), { type: 'null' }] };
}

function dependents(op: Op, fields: Readonly<Record<string, FieldRow>>) {
  const given: Record<string, string[]> = {};
  if ('OperatingStatusSource' in fields) given.OperatingStatusSource = ['OperatingStatus'];
  const money = Object.entries(fields).find(([, row]) => row.kind === 'money');
  if (money !== undefined && op === 'patch') given.Currency = [money[0]];
  return op === 'delete' ? {} : given;
}

function object(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
