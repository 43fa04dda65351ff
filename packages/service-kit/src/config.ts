import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';

/** An environment variable that a service reads. */
export interface Variable {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly default?: string | number | boolean;
  /** Without a default and not required, the variable is undefined when absent. */
  readonly required?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: 'uri';
  /** A check that no pattern can express. */
  readonly accepts?: (value: string) => boolean;
  /** Describes a valid value, for the error of `pattern` or `accepts`. */
  readonly expected?: string;
}

export type Variables = Readonly<Record<string, Variable>>;

type Value<V extends Variable> = V extends { enum: readonly (infer Choice)[] }
  ? Choice
  : { string: string; integer: number; boolean: boolean }[V['type']];
type Presence<V extends Variable> = V extends { required: true } | { default: unknown }
  ? never
  : undefined;

/** The configuration that results from a table of variables. */
export type Config<T extends Variables> = {
  readonly [Name in keyof T]: Value<T[Name]> | Presence<T[Name]>;
};

/** Invalid environment. One sentence per error, which names the variable and no value. */
export class ConfigError extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.name = 'ConfigError';
    this.errors = errors;
  }
}

/** The variables that are set, before all of them are validated. */
export type Given<T extends Variables> = {
  readonly [Name in keyof T]?: Value<T[Name]> | undefined;
};

/**
 * Reads a service's configuration from environment variables (docs/spec/operations.md 16.4). An
 * empty variable counts as absent; variables that are not in the table are ignored.
 *
 * `checks` validate what the table cannot express, such as that one of two variables must be set.
 * Each may throw a ConfigError. All of them run, so that one start reports every error.
 *
 * @throws ConfigError with every error.
 */
export function readConfig<const T extends Variables>(
  variables: T,
  environment: NodeJS.ProcessEnv,
  checks: readonly ((given: Given<T>) => unknown)[] = [],
): Config<T> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(variables)) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') values[name] = value;
  }
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strict: true });
  addFormats.default(ajv);
  ajv.addKeyword({
    keyword: 'accepts',
    validate: (accepts: (value: string) => boolean, value: string) => accepts(value),
  });
  const validate = ajv.compile(schemaOf(variables));
  const errors = validate(values) ? [] : inOrder(validate.errors ?? [], variables);
  errors.push(...checks.flatMap((check) => errorsOf(() => check(values as Given<T>))));
  if (errors.length > 0) throw new ConfigError(errors);
  return Object.freeze(values) as Config<T>;
}

function errorsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

function schemaOf(variables: Variables): object {
  const entries = Object.entries(variables);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { required, expected, ...schema }]) => [name, schema]),
    ),
    required: entries.filter(([, variable]) => variable.required).map(([name]) => name),
  };
}

// One error per variable, in the order of the table.
function inOrder(errors: readonly ErrorObject[], variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, variable]) => {
    const error = errors.find((each) => variableOf(each) === name);
    return error === undefined ? [] : [sentence(error, name, variable)];
  });
}

function variableOf(error: ErrorObject): string {
  return error.instancePath.slice(1) || String(error.params.missingProperty);
}

function sentence(error: ErrorObject, name: string, variable: Variable): string {
  if (error.keyword === 'required') return `${name} is not set (${variable.description}).`;
  return `${name} ${requirement(error, variable)}.`;
}

function requirement(error: ErrorObject, variable: Variable): string {
  switch (error.keyword) {
    case 'type':
      return variable.type === 'boolean' ? 'must be true or false' : 'must be a whole number';
    case 'enum':
      return `must be one of ${variable.enum?.join(', ') ?? ''}`;
    case 'pattern':
    case 'accepts':
    case 'format':
      return `must be ${variable.expected ?? 'a URL'}`;
    case 'minLength':
      return `must be at least ${variable.minLength ?? 1} characters long`;
    default:
      return error.message ?? 'is not valid';
  }
}
