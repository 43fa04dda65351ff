import { echo, nearest } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/refusals';

export interface IntegerBounds {
  readonly min: number;
  readonly max: number;
}

type TextCode = 'bad_parameter' | 'bad_date' | 'bad_cursor';

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/;

/**
 * The parameters of one call, against the names its endpoint reads. Nothing is clamped: what is
 * out of range or of the wrong type is refused (decisions §3).
 */
export class ParameterReader {
  readonly #parameters: ReadonlyMap<string, string>;

  /** @throws ApiError `unknown_parameter` for a parameter the endpoint does not read. */
  constructor(parameters: ReadonlyMap<string, string>, accepted: readonly string[]) {
    assertAccepted(parameters, accepted);
    this.#parameters = parameters;
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /**
   * The parameter as written; undefined when absent. One that is empty or too long is refused.
   *
   * @param code of the refusal, where the parameter has one of its own.
   */
  text(name: string, lengthMax: number, code: TextCode = 'bad_parameter'): string | undefined {
    const value = this.#parameters.get(name);
    if (value === undefined) return undefined;
    const fault =
      value.trim() === ''
        ? 'empty; leave it out or fill it.'
        : value.length > lengthMax
          ? `${value.length} characters long; at most ${lengthMax} are read.`
          : undefined;
    if (fault === undefined) return value;
    throw new ApiError(code, `The parameter ${name} is ${fault}`, { parameter: name, value });
  }

  /** @throws ApiError `bad_parameter` for anything but a whole number within the bounds. */
  integer(name: string, { min, max }: IntegerBounds): number | undefined {
    const value = this.#parameters.get(name);
    if (value === undefined) return undefined;
    const number = WHOLE_NUMBER.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw badParameter(
        name,
        value,
        `The parameter ${name} must be a whole number from ${min} to ${max}.`,
      );
    }
    return number;
  }

  /** @throws ApiError `bad_parameter` for anything but `true` and `false`. */
  boolean(name: string): boolean | undefined {
    const value = this.#parameters.get(name);
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') {
      throw new ApiError('bad_parameter', `The parameter ${name} must be true or false.`, {
        parameter: name,
        value,
        allowed: ['true', 'false'],
      });
    }
    return value === 'true';
  }
}

/** @throws ApiError `unknown_parameter` for a parameter that is none of those accepted. */
export function assertAccepted(
  parameters: ReadonlyMap<string, string>,
  accepted: readonly string[],
): void {
  for (const name of parameters.keys()) {
    if (!accepted.includes(name)) throw unknownParameter(name, accepted);
  }
}

export function badParameter(parameter: string, value: string, message: string): ApiError {
  return new ApiError('bad_parameter', message, { parameter, value });
}

function unknownParameter(name: string, accepted: readonly string[]): ApiError {
  const suggestion = nearest(name, accepted);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  const takes = accepted.length === 0 ? 'It takes none.' : `It takes ${accepted.join(', ')}.`;
  return new ApiError(
    'unknown_parameter',
    `Nothing here reads the parameter ${echo(name)}.${hint} ${takes}`,
    { parameter: name, allowed: accepted, suggestion },
  );
}
