/** The JSON body of a POST (docs/spec/addresses.md 1.11). */
import { echo, nearest, withHint } from '@vcds/odata-query';
import { ApiError, readJsonBody } from '@vcds/service-kit';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Request } from 'express';
import type { RequestBody } from './request/body.ts';

const validators = new WeakMap<RequestBody, ValidateFunction>();

/**
 * The body of a request, valid by the schema. Texts are as sent.
 *
 * @throws ApiError as `readJsonBody`; `unknown_parameter` for a member that the schema does not have,
 *   `bad_parameter` for an invalid one; `parameter` is its place, such as `[3].name`.
 */
export async function readRequestBody(request: Request, body: RequestBody): Promise<unknown> {
  const value = await readJsonBody(request, body, 'as sent');
  let validate = validators.get(body);
  if (validate === undefined) {
    // The schema is read once; it reports the first error, so that the work is bounded.
    validate = new Ajv({ strict: false, allErrors: false, verbose: true }).compile(body.schema);
    validators.set(body, validate);
  }
  if (validate(value)) return value;
  throw errorOf(validate.errors?.at(0));
}

function errorOf(error: ErrorObject | undefined): ApiError {
  const { instancePath = '', keyword, params = {}, message = 'is invalid' } = error ?? {};
  const place = placeOf(instancePath);
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const allowed = Object.keys((error?.parentSchema?.properties ?? {}) as object);
    const suggestion = nearest(name, allowed);
    const text = `The body has the unknown member ${echo(name)} in ${place}.`;
    const parameter = `${place === 'body' ? '' : place}.${echo(name)}`;
    return new ApiError('unknown_parameter', withHint(text, suggestion), {
      ...{ parameter, allowed, suggestion },
    });
  }
  const isMissing = keyword === 'required';
  const parameter = isMissing ? `${place}.${String(params.missingProperty)}` : place;
  const subject = place === 'body' ? 'The body' : `Member ${parameter} of the body`;
  const { data } = error ?? {};
  const value = typeof data === 'string' || typeof data === 'number' ? String(data) : undefined;
  return new ApiError('bad_parameter', `${subject} ${isMissing ? 'is missing' : message}.`, {
    parameter,
    ...(value !== undefined && { value }),
  });
}

/** `/3/identifiers/0` as `[3].identifiers[0]`; `body` for the whole. */
function placeOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  if (parts.length === 0) return 'body';
  return parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
}
