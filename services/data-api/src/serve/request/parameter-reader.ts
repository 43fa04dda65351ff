import { echo, type FieldSpec, nearest, valueMeant, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import {
  type BooleanParameter,
  type IntegerParameter,
  namesOf,
  type Parameter,
  type TextParameter,
} from './parameters.ts';

/** The limit of the caller's pricing plan for a page. */
export interface PageCeiling {
  readonly plan: string;
  readonly topMax: number;
}

type TextCode = 'bad_parameter' | 'bad_date' | 'bad_cursor';

const BOOLEAN: FieldSpec = {
  name: '',
  type: 'boolean',
  filterable: true,
  sortable: false,
};
const NUMBER: FieldSpec = { ...BOOLEAN, type: 'usd' };

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/;

/**
 * Reads the parameters of one call. It rejects a value that is out of range or of the wrong type and
 * never clamps it (docs/spec/addresses.md 1.4).
 */
export class ParameterReader {
  readonly #parameters: ReadonlyMap<string, string>;

  /** @throws UnknownParameter for a parameter that the endpoint does not accept. */
  constructor(parameters: ReadonlyMap<string, string>, accepted: readonly Parameter[]) {
    if (parameters.size > 0) assertAccepted(parameters, namesOf(accepted));
    this.#parameters = parameters;
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** The other parameters as written, in the order of their names. */
  without(names: ReadonlySet<string>): readonly (readonly [name: string, value: string])[] {
    const rest = [...this.#parameters].filter(([name]) => !names.has(name));
    return rest.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /**
   * The parameter as written; undefined if absent.
   *
   * @throws ApiError `code` for one that is empty or too long.
   */
  text(
    { name, lengthMax }: Pick<TextParameter, 'name' | 'lengthMax'>,
    code: TextCode = 'bad_parameter',
  ): string | undefined {
    const value = this.#parameters.get(name);
    if (value === undefined) return undefined;
    const problem =
      value.trim() === ''
        ? 'is empty. Omit it or set a value.'
        : value.length > lengthMax
          ? `can have at most ${lengthMax} characters; this one has ${value.length}.`
          : undefined;
    if (problem === undefined) return value;
    throw new ApiError(code, `Parameter ${name} ${problem}`, { parameter: name, value });
  }

  /**
   * The number, or the default.
   *
   * @param ceiling a lower bound of the caller, which only the error states.
   * @throws ApiError `bad_parameter` for anything but a whole number within the bounds.
   */
  integer(row: IntegerParameter, ceiling?: PageCeiling): number {
    const { name, min, max } = row;
    const value = this.#parameters.get(name);
    if (value === undefined) return row.default;
    const number = WHOLE_NUMBER.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      const most = Math.min(max, ceiling?.topMax ?? max);
      const plan = ceiling === undefined ? '' : `; the ${ceiling.plan} plan allows at most ${most}`;
      const message = `Parameter ${name} must be a whole number from ${min} to ${max}${plan}.`;
      const suggestion = integerMeant(value, { min, max: most });
      throw new ApiError('bad_parameter', withHint(message, suggestion), {
        parameter: name,
        value,
        suggestion,
      });
    }
    return number;
  }

  /**
   * The value, or the default.
   *
   * @throws ApiError `bad_parameter` for anything but `true` and `false`, in any case.
   */
  boolean(row: BooleanParameter): boolean {
    const { name } = row;
    const value = this.#parameters.get(name);
    if (value === undefined) return row.default;
    const constant = value.toLowerCase();
    if (constant !== 'true' && constant !== 'false') {
      const suggestion = valueMeant(value, BOOLEAN);
      const message = withHint(`Parameter ${name} must be true or false.`, suggestion);
      throw new ApiError('bad_parameter', message, {
        parameter: name,
        value,
        allowed: ['true', 'false'],
        suggestion,
      });
    }
    return constant === 'true';
  }
}

/** A parameter that the endpoint does not accept: `unknown_parameter`. */
export class UnknownParameter extends ApiError {
  constructor(parameter: string, allowed: readonly string[]) {
    const suggestion = nearest(parameter, allowed);
    const message = withHint(`Unknown parameter ${echo(parameter)}.`, suggestion);
    super('unknown_parameter', message, { parameter, allowed, suggestion });
  }
}

// The number within the bounds that is nearest to the intended one.
function integerMeant(
  value: string,
  { min, max }: Pick<IntegerParameter, 'min' | 'max'>,
): string | undefined {
  const meant = WHOLE_NUMBER.test(value) ? value : valueMeant(value, NUMBER);
  return meant === undefined ? undefined : String(Math.min(max, Math.max(min, Number(meant))));
}

/** @throws UnknownParameter for a parameter that is not accepted. */
export function assertAccepted(
  parameters: ReadonlyMap<string, string>,
  accepted: readonly string[],
): void {
  for (const name of parameters.keys()) {
    if (!accepted.includes(name)) throw new UnknownParameter(name, accepted);
  }
}

export function badParameter(parameter: string, value: string, message: string): ApiError {
  return new ApiError('bad_parameter', message, { parameter, value });
}
