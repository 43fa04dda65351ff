/** The parameters of operations, from the rows that the service reads them by. */
import type { ParameterObject, SchemaObject } from '@vcds/openapi';
import { arrayOf, TEXT, UUID } from '@vcds/openapi';
import type { Parameter } from '../src/request/parameters.ts';

/** The description of a query parameter. */
export function queryParameter(row: Parameter): ParameterObject {
  const { name, description, example } = row;
  const isList = row.kind === 'list';
  return {
    name,
    in: 'query',
    description,
    schema: schemaOf(row),
    ...(isList && { style: 'form', explode: false }),
    ...(example !== undefined && { example }),
  };
}

/** The description of a `{name}` segment. */
export function pathParameter(name: string): ParameterObject {
  const schema = name === 'id' ? UUID : TEXT;
  return { name, in: 'path', required: true, description: name, schema };
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
      const items = row.isOfIds ? UUID : { ...TEXT, ...(row.values && { enum: [...row.values] }) };
      return arrayOf(items, row.itemsMax === undefined ? {} : { maxItems: row.itemsMax });
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
