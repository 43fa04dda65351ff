/**
 * The parameters of endpoints, one row each. {@link ParameterReader} checks values against a row, and
 * the interface description (docs/openapi) states it.
 */
interface Row {
  readonly name: string;
  /** For callers: one sentence or two. */
  readonly description: string;
  readonly example?: string | number | boolean | readonly string[];
}

export interface IntegerParameter extends Row {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

export interface BooleanParameter extends Row {
  readonly kind: 'boolean';
  readonly default: boolean;
}

export interface TextParameter extends Row {
  /** `list`: comma-separated values. `dollars`: a whole number of 64 bits. `moment`: date or instant. */
  readonly kind: 'text' | 'choice' | 'list' | 'dollars' | 'moment';
  /** The most characters. */
  readonly lengthMax: number;
  /** The valid values, if they are known. */
  readonly values?: readonly string[];
  readonly default?: string;
  /** Of a list: the most values, and whether each is an id. */
  readonly itemsMax?: number;
  readonly isOfIds?: boolean;
}

export type Parameter = IntegerParameter | BooleanParameter | TextParameter;

/** The names of parameters, in their order. */
export function namesOf(parameters: readonly Parameter[]): readonly string[] {
  return parameters.map(({ name }) => name);
}
