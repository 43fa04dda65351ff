import { isUuidForm, nearest } from '@vcds/odata-query';
import { readDay, readInstant, SCHEME_NAMES } from '@vcds/venture-model';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LineError } from '../errors/line-error.ts';
import { quote } from '../errors/quote.ts';
import { recordTables } from '../records/index.ts';
import { EITHER_TYPES, type FieldRow, type RecordType } from '../records/kinds.ts';
import { IDENTIFIERS_MAX, lineSchema, OPS, type Op } from './line-schemas.ts';

/** A line that fits its schema; its values may still be invalid. */
export interface ValidLine {
  readonly op: Op;
  readonly type: RecordType;
  readonly source: string;
  readonly key: string | undefined;
  readonly occurredAt: string | null | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

// A test validates the schemas: doing so here would take most of the time of a small import's start.
const ajv = new Ajv2020({
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  validateSchema: false,
});
ajv.addFormat('uuid', isUuidForm);
ajv.addFormat('day', (text: string) => readDay(text) !== undefined);
ajv.addFormat('instant', (text: string) => readInstant(text) !== undefined);
const validators = new Map<string, ValidateFunction>();

/**
 * Validates a line against the schema of its type and operation.
 * @throws LineError with the invalid field and the reason.
 */
export function validateLine(line: unknown): ValidLine {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    throw new LineError(undefined, 'the line is not a JSON object');
  }
  const given = line as Readonly<Record<string, unknown>>;
  const type = recordTypeOf(given.type);
  const op = opOf(given.op);
  const validate = validatorOf(type, op);
  if (!validate(given)) throw faultOf(type, op, given, validate.errors ?? []);
  return {
    op,
    type,
    source: String(given.source),
    key: typeof given.key === 'string' ? given.key : undefined,
    occurredAt: typeof given.occurredAt === 'string' ? given.occurredAt : null,
    fields: given,
  };
}

function validatorOf(type: RecordType, op: Op): ValidateFunction {
  const name = `${op} ${type}`;
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajv.compile(lineSchema(type, op));
    validators.set(name, validate);
  }
  return validate;
}

function recordTypeOf(given: unknown): RecordType {
  if (given === undefined) throw new LineError('type', 'type is missing');
  if (typeof given === 'string' && Object.hasOwn(recordTables, given)) return given as RecordType;
  const known = Object.keys(recordTables).join(', ');
  throw new LineError('type', `unknown type ${quote(given)}; use one of ${known}`);
}

function opOf(given: unknown): Op {
  if (given === undefined) return 'upsert';
  const op = OPS.find((name) => name === given);
  if (op === undefined)
    throw new LineError('op', `unknown op ${quote(given)}; use one of ${OPS.join(', ')}`);
  return op;
}

function faultOf(
  type: RecordType,
  op: Op,
  line: Readonly<Record<string, unknown>>,
  errors: readonly ErrorObject[],
): LineError {
  const error = errors.find(({ keyword }) => !WRAPPERS.has(keyword)) ?? errors[0];
  if (error === undefined) return new LineError(undefined, 'the line does not fit its schema');
  const [, top = ''] = error.instancePath.split('/');
  const table: Readonly<Record<string, FieldRow>> = recordTables[type].fields;
  const row = Object.hasOwn(table, top) ? table[top] : undefined;
  switch (error.keyword) {
    case 'required':
      if (top === '') return missing(type, op, line, String(error.params.missingProperty));
      break;
    case 'dependentRequired':
      return new LineError(
        String(error.params.property),
        `${error.params.property} requires ${error.params.missingProperty}`,
      );
    case 'additionalProperties':
      if (top === '') return unknownField(type, op, String(error.params.additionalProperty));
      break;
  }
  const at = where(error.instancePath);
  const value = valueAt(line, error.instancePath);
  if (row !== undefined && REFERENCES.has(row.kind)) {
    return new LineError(top, `${top} ${shapeOf(row)}, not ${quote(line[top])}`);
  }
  return new LineError(top, `${at} ${demand(error, row)}, not ${quote(value)}`);
}

const WRAPPERS = new Set(['anyOf']);

/** The kinds of fields whose values have several forms. */
const REFERENCES: ReadonlySet<string> = new Set([
  ...['ref', 'investor', 'investors', 'company', 'identifiers'],
]);

/** A mistyped field is only searched for among so many members of a line. */
const MEMBERS_COMPARED = 50;

const ENVELOPE = ['op', 'type', 'source', 'key', 'occurredAt'];

/** The names of JSON types in messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'text',
};

/** The fault of a missing required field, or of a mistyped one. */
function missing(
  type: RecordType,
  op: Op,
  line: Readonly<Record<string, unknown>>,
  field: string,
): LineError {
  const names = Object.keys(line).slice(0, MEMBERS_COMPARED);
  const mistyped = names.find((name) => meantBy(type, name) === field);
  if (mistyped !== undefined) return unknownField(type, op, mistyped);
  return new LineError(field, `${field} is missing`);
}

/** The member of a line that is nearest to a name, or the name itself if it is one. */
function meantBy(type: RecordType, name: string): string | undefined {
  const known = [...Object.keys(recordTables[type].fields), ...ENVELOPE];
  return known.includes(name) ? name : nearest(name, known);
}

function unknownField(type: RecordType, op: Op, field: string): LineError {
  const meant = meantBy(type, field);
  if (meant === field) return new LineError(field, `${field} is not allowed on a ${op} line`);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new LineError(field, `unknown field ${quote(field)} on ${type}${hint}`);
}

function shapeOf(row: FieldRow): string {
  if (row.kind === 'identifiers') {
    const forms = 'must be a list of "scheme:value" or {"Scheme", "Value"}';
    return `${forms}, at most ${IDENTIFIERS_MAX}; the schemes are ${SCHEME_NAMES.join(', ')}`;
  }
  if (row.kind === 'ref') return 'must be {"source"?, "key"} or {"Id"}';
  const types = EITHER_TYPES[row.kind === 'company' ? 'company' : 'investor'];
  const one = `{"type": "${types.join('" or "')}", "source"?, "key"} or {"type", "Id"}`;
  return row.kind === 'investors' ? `must be a list of ${one}` : `must be ${one}`;
}

function demand(error: ErrorObject, row: FieldRow | undefined): string {
  switch (error.keyword) {
    case 'enum': {
      const labels = (row?.closed ?? []).map(({ label }) => label);
      return labels.length === 0
        ? 'must be one of its values'
        : `must be one of ${labels.join(', ')}`;
    }
    case 'format':
      return error.params.format === 'day'
        ? 'must be a day YYYY-MM-DD'
        : 'must be an ISO 8601 instant';
    case 'pattern':
      return row?.kind === 'currency'
        ? 'must be three capital letters'
        : 'must not contain control characters';
    case 'type': {
      const types = [error.params.type].flat().map((name: string) => TYPE_NAMES[name] ?? name);
      return `must be ${types.join(' or ')}`;
    }
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    default:
      return error.message ?? 'is not valid';
  }
}

function where(path: string): string {
  const [, top = 'the line', ...rest] = path.split('/');
  return rest.reduce((at, part) => (/^\d+$/u.test(part) ? `${at}[${part}]` : `${at}.${part}`), top);
}

function valueAt(line: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], line);
}
