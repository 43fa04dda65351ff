import { echo, nearest } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/refusals';

export interface IntegerBounds {
  readonly min: number;
  readonly max: number;
}

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/;

/**
 * The parameters of one call, against the names its endpoint reads. Nothing is clamped: what is
 * out of range or of the wrong type is refused (decisions §3).
 */
export class ParameterReader {
  readonly #parameters: ReadonlyMap<string, string>;

  /** @throws ApiError `unknown_parameter` for a parameter the endpoint does not read. */
  constructor(parameters: ReadonlyMap<string, string>, accepted: readonly string[]) {
    for (const name of parameters.keys()) {
      if (!accepted.includes(name)) throw unknownParameter(name, accepted);
    }
    this.#parameters = parameters;
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** The parameter as written; undefined when absent. An empty one is refused. */
  text(name: string, lengthMax: number): string | undefined {
    const value = this.#parameters.get(name);
    if (value === undefined) return undefined;
    if (value.trim() === '') {
      throw badParameter(name, value, `The parameter ${name} is empty; leave it out or fill it.`);
    }
    if (value.length > lengthMax) {
      throw badParameter(
        name,
        value,
        `The parameter ${name} is ${value.length} characters long; at most ${lengthMax} are read.`,
      );
    }
    return value;
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
