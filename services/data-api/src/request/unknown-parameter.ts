import { echo, nearest, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';

/** A parameter that the endpoint does not accept: `unknown_parameter`. */
export class UnknownParameter extends ApiError {
  constructor(parameter: string, allowed: readonly string[]) {
    const suggestion = nearest(parameter, allowed);
    const message = withHint(`Unknown parameter ${echo(parameter)}.`, suggestion);
    super('unknown_parameter', message, { parameter, allowed, suggestion });
  }
}
