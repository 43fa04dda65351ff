/** The parameters of operations, from the rows that the service reads them by. */
import { PLANS } from '@vcds/metering';
import { operatorsOf } from '@vcds/odata-query';
import { arrayOf, type ParameterObject, type SchemaObject, TEXT, UUID } from '@vcds/openapi';
import { DIMENSION_IDS, dimensionOf } from '@vcds/venture-model';
import type { Resource } from '../src/resources/index.ts';
import type { Parameter } from '../src/serve/request/parameters.ts';
import { exampleOf, exampleOfPath } from './parameter-examples.ts';
import { returnedFields } from './record-schemas.ts';
import { text } from './schema-parts.ts';

const PLAN_CEILINGS = Object.fromEntries(
  Object.values(PLANS).map(({ id, topMax }) => [id, topMax]),
);
const CEILINGS_TEXT = Object.entries(PLAN_CEILINGS)
  .map(([id, topMax]) => `${topMax.toLocaleString('en')} on ${id}`)
  .join(', ');

/** The description of a query parameter. */
export function queryParameter(row: Parameter, resource: Resource | undefined): ParameterObject {
  const { name, description, kind } = row;
  const example = exampleOf(row, resource);
  const { text, schema, ...more } = specificsOf(row, resource);
  return {
    name,
    in: 'query',
    description: [description, text].filter(Boolean).join(' '),
    schema: { ...schemaOf(row), ...schema },
    ...(kind === 'list' && { style: 'form', explode: false }),
    ...(example !== undefined && { example }),
    ...more,
  };
}

/** A request header that is read by the row of a parameter. */
export function headerParameter(row: Parameter): ParameterObject {
  const { name, description, example } = row;
  const { default: _, ...schema } = schemaOf(row);
  return { name, in: 'header', description, schema, ...(example !== undefined && { example }) };
}

const PATH_TEXTS: Readonly<Record<string, SchemaObject>> = {
  id: { ...UUID, description: 'The id of the record.' },
  dimension: {
    ...TEXT,
    enum: [...DIMENSION_IDS],
    description: 'The id of a dimension, from `/categories`.',
  },
  snapshot: text('The id of a snapshot.'),
  file: text('The name of one of its files.'),
  value: {
    ...TEXT,
    description:
      'Values of the dimension, comma-separated: any of them. A value with a comma is in double quotes. Closed dimensions accept value, label, slug and name.',
  },
};

/** The description of a `{name}` segment. */
export function pathParameter(name: string): ParameterObject {
  const { description = name, ...schema } = PATH_TEXTS[name] ?? TEXT;
  return { name, in: 'path', required: true, description, schema, example: exampleOfPath(name) };
}

type Specifics = Partial<ParameterObject> & {
  readonly text?: string;
  readonly schema?: SchemaObject;
};

/** The meaning of a parameter for the fields and relations of a resource, or for a dimension. */
function specificsOf({ name }: Parameter, resource: Resource | undefined): Specifics {
  const dimension = dimensionOf(name);
  if (dimension !== undefined) {
    const { closed } = dimension;
    if (closed === undefined) return { text: 'A value with a comma is in double quotes.' };
    const values = closed.map(({ slug }) => slug);
    return {
      text: `Values: ${values.join(', ')}; labels, names and numbers are accepted too.`,
      'x-values': values,
    };
  }
  if (resource === undefined) return {};
  const fields = [...resource.fields.values()];
  switch (name) {
    case '$top':
      return {
        text: `The ceiling depends on the plan: ${CEILINGS_TEXT}.`,
        'x-plan-ceilings': PLAN_CEILINGS,
      };
    case '$filter':
      return {
        text: `Conditions \`Field operator value\`, joined by \`and\`, \`or\`, \`not\` and parentheses; texts in single quotes. Fields and operators: ${filtersOf(resource)}.`,
        'x-filter-only': fields
          .filter(({ selectable }) => selectable === false)
          .map((field) => ({
            name: field.name,
            type: field.type,
            many: field.many === true,
            operators: [...operatorsOf(field)],
          })),
      };
    case '$select':
      return { schema: listOf([...returnedFields(resource).map((field) => field.name), '*']) };
    case '$orderby': {
      const sortable = fields.filter((field) => field.sortable);
      const keys = sortable.flatMap((field) =>
        ['', ' asc', ' desc'].map((way) => field.name + way),
      );
      return { schema: listOf(keys) };
    }
    case '$expand':
      return { schema: listOf([...resource.relations.keys()]) };
    default:
      return {};
  }
}

function listOf(values: readonly string[]): SchemaObject {
  return { items: { ...TEXT, enum: [...values] } };
}

/** The filterable fields of a resource in words, those with the same operators together. */
function filtersOf({ fields }: Resource): string {
  const groups = new Map<string, string[]>();
  for (const field of fields.values()) {
    if (!field.filterable) continue;
    const operators = operatorsOf(field).join(' ');
    groups.set(operators, [...(groups.get(operators) ?? []), field.name]);
  }
  return [...groups].map(([operators, names]) => `${names.join(', ')} (${operators})`).join('; ');
}

function schemaOf(row: Parameter): SchemaObject {
  switch (row.kind) {
    case 'integer': {
      const { min: minimum, max: maximum } = row;
      return { type: 'integer', minimum, maximum, default: row.default };
    }
    case 'boolean':
      return { type: 'boolean', default: row.default };
    case 'dollars':
      return { type: 'integer', format: 'int64', minimum: 0, 'x-unit': 'USD' };
    case 'list': {
      const { isOfIds = false, values, itemsMax } = row;
      const items = isOfIds ? UUID : { ...TEXT, ...(values && { enum: [...values] }) };
      return arrayOf(items, { minItems: 1, ...(itemsMax !== undefined && { maxItems: itemsMax }) });
    }
    case 'text':
    case 'choice':
    case 'moment': {
      const { lengthMax: maxLength, values } = row;
      const preset = row.default === undefined ? {} : { default: row.default };
      return { ...TEXT, ...(values ? { enum: [...values] } : { maxLength }), ...preset };
    }
  }
}
