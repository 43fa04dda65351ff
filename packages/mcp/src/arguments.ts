import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { cutText } from './cut-text.ts';
import { lenient, WHOLE } from './lenient.ts';
import { DIMENSION_IDS, type Schema } from './schemas.ts';

/** One argument that a tool does not accept. */
export interface Fault {
  /** A sentence that says what the tool accepts. */
  readonly message: string;
  /** Its path, such as `narrow.city`. */
  readonly argument?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
}

/** Arguments that a tool does not accept; no call was made. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  /** All of them, at least one. */
  readonly faults: readonly Fault[];

  constructor(message: string, argument?: string, allowed?: readonly string[]);
  constructor(faults: readonly Fault[]);
  constructor(first: string | readonly Fault[], argument?: string, allowed?: readonly string[]) {
    const faults = typeof first === 'string' ? [{ message: first, argument, allowed }] : first;
    super(faults.map(({ message }) => message).join(' '));
    this.faults = faults;
  }
}

const ajv = new Ajv({
  ...{ strict: true, allowUnionTypes: true, allErrors: true, verbose: true },
  formats: { uuid: true },
});
const LONE_SURROGATE = /\p{Surrogate}/u;
const PATH_LENGTH_MAX = 100;
const FAULTS_MAX = 10;
const compiled = new WeakMap<Schema, ValidateFunction>();

/**
 * The arguments as the tool reads them ({@link lenient}).
 *
 * @throws ArgumentError with every argument that it does not accept, and what it accepts.
 */
export function acceptedArguments(schema: Schema, given: unknown): Record<string, unknown> {
  assertWellFormed(given);
  const read = lenient(schema, given);
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(read)) return read as Record<string, unknown>;
  throw new ArgumentError(faultsOf(schema, validate.errors ?? []));
}

// No URL or JSON text can have half of a surrogate pair. Not recursive: nesting is the caller's.
function assertWellFormed(value: unknown): void {
  const left: (readonly [string, unknown])[] = [['', value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, member] = next;
    if (typeof member === 'string' && LONE_SURROGATE.test(member)) {
      throw new ArgumentError(`${path} has half of a surrogate pair, which is no text.`, path);
    }
    if (typeof member !== 'object' || member === null) continue;
    for (const [name, each] of Object.entries(member)) {
      if (LONE_SURROGATE.test(name)) {
        const text = 'The name of an argument has half of a surrogate pair, which is no text.';
        throw new ArgumentError(text, path === '' ? undefined : path);
      }
      left.push([cutText(path === '' ? name : `${path}.${name}`, PATH_LENGTH_MAX), each]);
    }
  }
}

/** One fault for each argument. */
function faultsOf(schema: Schema, errors: readonly ErrorObject[]): readonly Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    if (faults.size === FAULTS_MAX) break;
    const fault = faultOf(schema, error);
    const of = fault.argument ?? '';
    if (!faults.has(of)) faults.set(of, fault);
  }
  return [...faults.values()];
}

function faultOf(schema: Schema, error: ErrorObject): Fault {
  const { keyword, instancePath, params, parentSchema = {} } = error;
  const argument = instancePath.slice(1).replaceAll('/', '.');
  const within = argument === '' ? '' : `${argument}.`;
  if (keyword === 'required') {
    const name = `${within}${params.missingProperty}`;
    return { message: `Missing argument ${name}.`, argument: name };
  }
  if (keyword === 'additionalProperties') {
    return unknownArgument(schema, argument, String(params.additionalProperty));
  }
  if (argument === '') return notAnObject(schema);
  const { enum: allowed } = parentSchema as Schema;
  return { message: `${argument} must be ${wanted(parentSchema as Schema)}.`, argument, allowed };
}

function unknownArgument(schema: Schema, at: string, written: string): Fault {
  if (at === '' && written === WHOLE) return notAnObject(schema);
  const inner = at === '' ? schema : schema.properties?.[at];
  const allowed = Object.keys(inner?.properties ?? {});
  const name = cutText(written, PATH_LENGTH_MAX);
  const isNarrowing = DIMENSION_IDS.includes(name) && allowed.includes('narrow');
  const use = isNarrowing ? `Put it into narrow: {"${name}": …}` : `Use: ${allowed.join(', ')}`;
  const message = `Unknown argument ${at === '' ? '' : `${at}.`}${name}. ${use}.`;
  return { message, argument: name, allowed };
}

function notAnObject({ properties = {} }: Schema): Fault {
  const allowed = Object.keys(properties);
  return { message: `The arguments must be one JSON object with: ${allowed.join(', ')}.`, allowed };
}

/** The values that a schema accepts, as the rest of a sentence. */
function wanted(schema: Schema): string {
  const { type, minimum, maximum, maxLength = 0, maxItems, items = {} } = schema;
  if (schema.enum !== undefined) return `one of: ${schema.enum.join(', ')}`;
  if (schema.pattern !== undefined) return 'an Id of 36 characters, from an answer';
  switch (type) {
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list of at most ${maxItems} values, each ${wanted(items)}`;
    case 'object':
      return 'an object';
    default:
      return maxLength === 0 ? 'a text' : `a text of at most ${maxLength} characters`;
  }
}
