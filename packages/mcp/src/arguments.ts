import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { cutText } from './cut-text.ts';
import type { Schema } from './schemas.ts';

/** Arguments that a tool does not accept; no call was made. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly argument: string | undefined;
  readonly allowed: readonly string[] | undefined;

  constructor(message: string, argument?: string, allowed?: readonly string[]) {
    super(message);
    this.argument = argument;
    this.allowed = allowed;
  }
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { uuid: true } });
const LONE_SURROGATE = /\p{Surrogate}/u;
const PATH_LENGTH_MAX = 100;
const compiled = new WeakMap<Schema, ValidateFunction>();

/** @throws ArgumentError that names the argument and what it accepts. */
export function assertArguments(schema: Schema, value: unknown): void {
  assertWellFormed(value);
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return;
  const error = validate.errors?.[0];
  if (error !== undefined) throw argumentError(schema, error);
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

function argumentError(schema: Schema, { keyword, instancePath, params, message }: ErrorObject) {
  const argument = instancePath.slice(1).replaceAll('/', '.');
  const at = argument === '' ? undefined : argument;
  if (keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map(String);
    return new ArgumentError(`${argument} must be one of: ${allowed.join(', ')}.`, at, allowed);
  }
  if (keyword === 'required') {
    return new ArgumentError(`Missing argument ${params.missingProperty}.`, params.missingProperty);
  }
  if (keyword === 'additionalProperties') {
    const allowed = namesAt(schema, at);
    const unknown = cutText(String(params.additionalProperty), 100);
    const text = `Unknown argument ${at === undefined ? '' : `${at}.`}${unknown}. Use: ${allowed.join(', ')}.`;
    return new ArgumentError(text, unknown, allowed);
  }
  return new ArgumentError(`${argument === '' ? 'The arguments' : argument} ${message}.`, at);
}

function namesAt(schema: Schema, at: string | undefined): string[] {
  const inner = at === undefined ? schema : schema.properties?.[at];
  return Object.keys(inner?.properties ?? {});
}
