/** The schemas of records, from the tables of resources. */

import type { ClosedValue } from '@vcds/odata-query';
import { operatorsOf, type ValueType } from '@vcds/odata-query';
import {
  arrayOf,
  DATE,
  INSTANT,
  nullable,
  object,
  ref,
  type Schema,
  type SchemaObject,
  TEXT,
  USD,
  UUID,
} from '@vcds/openapi';
import {
  type Relation,
  type Resource,
  type ResourceField,
  resources,
} from '../src/resources/index.ts';

const SCHEMAS: Readonly<Record<Exclude<ValueType, 'closed'>, SchemaObject>> = {
  uuid: UUID,
  text: TEXT,
  year: { type: 'integer', format: 'int32' },
  integer: { type: 'integer', format: 'int32' },
  usd: USD,
  number: { type: 'number', format: 'double' },
  date: DATE,
  instant: INSTANT,
  boolean: { type: 'boolean' },
  keywords: TEXT,
};

/** The name of the schema of a resource: `FundingRound`. */
export function schemaName({ name }: Resource): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** The schemas of every resource: with all fields, and with those that `$select` names. */
export function recordSchemas(): Record<string, Schema> {
  return Object.fromEntries(
    Object.values(resources).flatMap((resource): [string, Schema][] => {
      const name = schemaName(resource);
      const { title } = resource;
      const fields = returnedFields(resource);
      return [
        [
          name,
          {
            description: `${title}: every field, and the relations that \`$expand\` names.`,
            allOf: [ref(`${name}Selection`)],
            required: fields.map((field) => field.name),
          },
        ],
        [
          `${name}Selection`,
          object(
            {
              ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
              ...Object.fromEntries(
                [...resource.relations.values()].map((each) => [each.name, relationSchema(each)]),
              ),
            },
            {
              description: `${title}: the fields that \`$select\` names, and the relations that \`$expand\` names.`,
              optional: [...fields.map((field) => field.name), ...resource.relations.keys()],
            },
          ),
        ],
      ];
    }),
  );
}

/** The fields of a record, without those that are only for filters. */
export function returnedFields({ fields }: Resource): readonly ResourceField[] {
  return [...fields.values()].filter(({ selectable }) => selectable !== false);
}

function fieldSchema(field: ResourceField): SchemaObject {
  const { type, closed, many, filterable, sortable } = field;
  const value = type === 'closed' ? closedSchema(closed ?? []) : SCHEMAS[type];
  const schema = many === true ? arrayOf(value) : nullable(value);
  return {
    ...schema,
    'x-filterable': filterable ? [...operatorsOf(field)] : false,
    'x-sortable': sortable,
    'x-selectable': true,
  };
}

/** A value of a closed list, with the other spellings that filters accept. */
export function closedSchema(closed: readonly ClosedValue[]): SchemaObject {
  const isNumber = typeof closed[0]?.value === 'number';
  return {
    type: isNumber ? 'integer' : 'string',
    enum: closed.map(({ value }) => value),
    'x-closed-values': closed.map(({ value, label, slug, name }) => ({ value, label, slug, name })),
  };
}

function relationSchema(relation: Relation): SchemaObject {
  const { description } = relation;
  if (relation.kind === 'json') return arrayOf({ type: 'object' }, { description });
  const target = ref(`${schemaName(resources[relation.target])}Selection`);
  return relation.many ? arrayOf(target, { description }) : { ...nullable(target), description };
}
