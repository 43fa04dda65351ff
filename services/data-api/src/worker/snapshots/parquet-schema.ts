import type { ValueType } from '@vcds/odata-query';
import type { ParquetWriter } from 'hyparquet-writer';
import type { ResourceField } from '../../resources/field.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];
type Element = Omit<SchemaElement, 'name'>;
type Typed = Pick<ResourceField, 'type' | 'closed'>;

/** The types of columns in Parquet. Optional, so that a field may become unknown. */
const ELEMENTS: Readonly<Record<Exclude<ValueType, 'closed'>, Element>> = {
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  keywords: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  year: { type: 'INT32' },
  integer: { type: 'INT32' },
  usd: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  boolean: { type: 'BOOLEAN' },
};

function elementOf({ type, closed }: Typed): Element {
  if (type !== 'closed') return ELEMENTS[type];
  return ELEMENTS[typeof closed?.[0]?.value === 'number' ? 'integer' : 'text'];
}

/** The schema of the records with these fields: lists, and objects as groups. */
export function parquetSchema(fields: readonly ResourceField[]): SchemaElement[] {
  return [{ name: 'root', num_children: fields.length }, ...fields.flatMap(schemaOf)];
}

function schemaOf(field: ResourceField): SchemaElement[] {
  const { name, many, members } = field;
  const optional = { repetition_type: 'OPTIONAL' } as const;
  if (members !== undefined) {
    return [
      { name, ...optional, num_children: members.length },
      ...members.map((member) => ({ name: member.name, ...optional, ...elementOf(member) })),
    ];
  }
  if (many !== true) return [{ name, ...optional, ...elementOf(field) }];
  return [
    { name, ...optional, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', ...optional, ...elementOf(field) },
  ];
}

/** A value of a JSON record as the writer takes it. */
export function parquetValue(field: ResourceField, value: unknown): unknown {
  if (value === null) return null;
  switch (field.type) {
    case 'usd':
      return BigInt(value as number);
    case 'date':
    case 'instant':
      return new Date(value as string);
    default:
      return value;
  }
}
