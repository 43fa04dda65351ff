/** The schemas of records, from the tables of resources. */
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
import { isList, RELATED_MAX } from '../src/collections/json.ts';
import {
  type Member,
  type Relation,
  type Resource,
  type ResourceField,
  resources,
} from '../src/resources/index.ts';
import { closedSchema, closedValues, labelSchema } from './closed-schemas.ts';
import { textOfField } from './field-texts.ts';

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
export function schemaName({ name }: Pick<Resource, 'name'>): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** The schemas of records: with every field, with selected fields, as related records, and with labels. */
export function recordSchemas(): Record<string, Schema> {
  return Object.fromEntries(
    Object.values(resources).flatMap((each) => [...schemasOf(each), ...labelSchemas(each)]),
  );
}

/** The suffix of schemas with labels in place of closed values. */
export const LABELS = 'Labels';

function labelSchemas(resource: Resource): [name: string, schema: Schema][] {
  const members = [
    ...returnedFields(resource).map(
      (field) => [field.name, valueSchema(field, labelSchema)] as const,
    ),
    ...[...resource.relations.values()].flatMap((each) => relationMembers(each, LABELS)),
  ];
  return [
    [
      `${schemaName(resource)}${LABELS}`,
      object(Object.fromEntries(members), {
        description: `${resource.title} with \`labels=true\`: closed values are their labels.`,
        optional: members.map(([member]) => member),
      }),
    ],
    ...[...resource.relations.values()].flatMap((each) => relatedSchema(each, LABELS)),
  ];
}

/** The fields of a record, without those that are only for filters. */
export function returnedFields({ fields }: Resource): readonly ResourceField[] {
  return [...fields.values()].filter(({ selectable }) => selectable !== false);
}

function schemasOf(resource: Resource): [name: string, schema: Schema][] {
  const { title, relations } = resource;
  const name = schemaName(resource);
  const fields = returnedFields(resource);
  const names = fields.map((field) => field.name);
  const members = [
    ...fields.map((field) => [field.name, fieldSchema(field, resource)] as const),
    ...[...relations.values()].flatMap((each) => relationMembers(each)),
  ];
  const selection = `${title}: the fields that \`$select\` names, and the relations of \`$expand\`.`;
  const whole = `${title}: every field, and the relations of \`$expand\`.`;
  return [
    [name, { description: whole, allOf: [ref(`${name}Selection`)], required: names }],
    [
      `${name}Selection`,
      object(Object.fromEntries(members), {
        description: selection,
        optional: members.map(([member]) => member),
      }),
    ],
    ...[...relations.values()].flatMap((each) => relatedSchema(each)),
  ];
}

function fieldSchema(field: ResourceField, { name }: Resource): SchemaObject {
  const { filterable, sortable, type } = field;
  const operators = filterable ? operatorsOf(field) : undefined;
  const use = [
    operators ? `filter (${operators.join(' ')})` : '',
    sortable ? 'sort' : '',
    'select',
  ].filter((each) => each !== '');
  const unit = type === 'usd' ? ' In whole US dollars.' : '';
  return {
    ...valueSchema(field),
    description: `${textOfField(name, field.name)}${unit} Use: ${use.join(', ')}.`,
    'x-filterable': operators === undefined ? false : [...operators],
    'x-sortable': sortable,
    'x-selectable': true,
  };
}

type Value = Member & Pick<ResourceField, 'many' | 'members'>;

// A reference cannot have a description beside it, so a closed list is written out where nothing
// wraps it.
function valueSchema(
  { type, closed = [], many, members, notNull }: Value,
  schemaOf = closedSchema,
): SchemaObject {
  const isClosed = type === 'closed';
  const isPlain = many !== true && notNull === true && isClosed;
  if (isPlain && schemaOf === closedSchema) return closedValues(closed);
  const plain = isClosed ? schemaOf(closed) : SCHEMAS[type];
  const value = members ? membersSchema(members) : plain;
  if (many === true) return arrayOf(value);
  return notNull === true && !('$ref' in value) ? value : nullable(value);
}

function membersSchema(members: readonly Member[]): SchemaObject {
  return object(Object.fromEntries(members.map((each) => [each.name, valueSchema(each)])));
}

// The members of a relation: a list that has more is followed by their number and the next call.
function relationMembers(relation: Relation, suffix = ''): [name: string, schema: SchemaObject][] {
  const { name } = relation;
  const members: [string, SchemaObject][] = [[name, relationSchema(relation, suffix)]];
  if (!isList(relation)) return members;
  const more = `Only if there are more than ${RELATED_MAX}`;
  return [
    ...members,
    [
      `${name}@count`,
      { type: 'integer', minimum: 0, description: `${more}: the number of all \`${name}\`.` },
    ],
    [
      `${name}@nextLink`,
      { ...TEXT, format: 'uri', description: `${more}: the call for the next \`${name}\`.` },
    ],
  ];
}

function relationSchema(relation: Relation, suffix: string): SchemaObject {
  const most = isList(relation) ? ` At most ${RELATED_MAX}.` : '';
  const description = `${relation.description}${most} Only with \`$expand=${relation.name}\`.`;
  if (relation.kind === 'json') return arrayOf(membersSchema(relation.members), { description });
  const related = ref(relatedName(relation) + suffix);
  return relation.many ? arrayOf(related, { description }) : { ...nullable(related), description };
}

// A related record contains all fields but computed ones, and the members of the relation.
function relatedSchema(relation: Relation, suffix = ''): [name: string, schema: Schema][] {
  if (relation.kind === 'json') return [];
  const { extra = [] } = relation;
  const target: Resource = resources[relation.target];
  const own = returnedFields(target).filter(
    ({ name, computed }) => computed !== true && !extra.some((each) => each.name === name),
  );
  const schemaOf = (value: Value) =>
    valueSchema(value, suffix === LABELS ? labelSchema : closedSchema);
  const members = [
    ...own.map(
      (field) =>
        [field.name, suffix === LABELS ? schemaOf(field) : describedValue(field, target)] as const,
    ),
    ...extra.map((each) => [each.name, schemaOf(each)] as const),
  ];
  const description = `${target.title} as a related record: without computed fields.`;
  return [[relatedName(relation) + suffix, object(Object.fromEntries(members), { description })]];
}

function describedValue(field: ResourceField, { name }: Resource): SchemaObject {
  return { ...valueSchema(field), description: textOfField(name, field.name) };
}

/** `RelatedStartup`, or `StartupWithTitleAndSince` with the members of the relation. */
function relatedName({ target, extra = [] }: Relation & { kind: 'records' }): string {
  const name = schemaName(resources[target]);
  const names = extra.map((each) => each.name).join('And');
  return names === '' ? `Related${name}` : `${name}With${names}`;
}
