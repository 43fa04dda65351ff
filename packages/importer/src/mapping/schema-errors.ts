/** Validates mappings by their JSON Schema, with messages for users. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { quote } from '../errors/quote.ts';
import { hint, type MappingError, pointer } from './mapping-error.ts';
import { patternError } from './pattern.ts';

const schemaFile = fileURLToPath(new URL('../../mapping.schema.json', import.meta.url));

/** The JSON Schema of mapping files. */
export const mappingSchema: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(schemaFile, 'utf8'),
);

let compiled: ValidateFunction | undefined;

/** Compiled for the first mapping: most imports have none. */
function compile(): ValidateFunction {
  const ajv = new Ajv2020({
    allowUnionTypes: true,
    strictRequired: false,
    allErrors: true,
    verbose: true,
  });
  ajv.addFormat('regex', (text: string) => patternError(text) === undefined);
  return ajv.compile(mappingSchema);
}

/** The differences of a value from the schema of mappings. */
export function schemaErrors(given: unknown): readonly MappingError[] {
  compiled ??= compile();
  const validate = compiled;
  if (validate(given)) return [];
  const errors = (validate.errors ?? []).filter(
    ({ keyword, schemaPath }) => keyword !== 'if' && !/\/oneOf\/\d+\//u.test(schemaPath),
  );
  const withUnknown = new Set(
    errors.filter(({ keyword }) => keyword === 'additionalProperties').map((e) => e.instancePath),
  );
  return errors
    .filter(({ keyword, instancePath }) => keyword !== 'oneOf' || !withUnknown.has(instancePath))
    .map(faultOf);
}

function faultOf(error: ErrorObject): MappingError {
  const { instancePath: at, params, data } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const known = Object.keys(error.parentSchema?.properties ?? {});
      return { at: pointer(at, name), message: `unknown member${hint(name, known)}` };
    }
    case 'required':
      return { at, message: `the member "${params.missingProperty}" is missing` };
    case 'dependentRequired':
      return {
        at,
        message: `"${params.property}" requires "${params.missingProperty}" in the same object`,
      };
    case 'enum':
      return {
        at,
        message: `must be one of ${params.allowedValues.join(', ')}, not ${quote(data)}`,
      };
    case 'const':
      return { at, message: `must be ${quote(params.allowedValue)}, not ${quote(data)}` };
    case 'type':
      return { at, message: `must be ${[params.type].flat().join(' or ')}, not ${quote(data)}` };
    case 'oneOf':
      return { at, message: `needs exactly one of ${alternatives(error).join(', ')}` };
    case 'format':
      return { at, message: patternError(String(data)) ?? 'is not a regular expression' };
    default:
      return { at, message: error.message ?? 'is not valid' };
  }
}

function alternatives({ schema }: ErrorObject): readonly string[] {
  return (schema as readonly { readonly required: readonly string[] }[]).flatMap(
    ({ required }) => required,
  );
}
