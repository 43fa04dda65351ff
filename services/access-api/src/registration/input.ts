import { ApiError, readJsonBody, readQueryString } from '@vcds/service-kit';
import type { Request } from 'express';
import { type AccessEndpoint, CODE_DIGITS } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { type EmailAddress, parseEmailAddress } from './email-address.ts';
import { parseRegistrationId } from './redis-keys.ts';
import type { CodeTarget } from './registration-store.ts';

const CODE = new RegExp(`^\\d{${CODE_DIGITS}}$`);

/** The unvalidated fields of a call: the query of a GET, or the JSON body of a POST. */
export type Fields = ReadonlyMap<string, unknown>;

/** The input of verify; `target` is undefined for an id that was never issued. */
export interface VerifyInput {
  readonly code: string;
  readonly target: CodeTarget | undefined;
}

/** The fields of a GET variant (docs/spec/registration.md 3.1), or those of the body of a POST. */
export async function readFields(request: Request, { fields }: AccessEndpoint): Promise<Fields> {
  if (request.method === 'GET') return readQuery(request, Object.keys(fields));
  assertInBody(request, fields);
  if (!hasBody(request)) return new Map();
  const body = await readJsonBody(request);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('bad_json', 'The request body must be a JSON object.');
  }
  return new Map(Object.entries(body));
}

// A query of a POST has no field: `POST /auth/register?email=`.
function assertInBody(request: Request, fields: AccessEndpoint['fields']): void {
  const { parameters } = readQueryString(request);
  const misplaced = [...parameters.keys()].find((name) => Object.hasOwn(fields, name));
  if (misplaced === undefined) {
    readQuery(request, []);
    return;
  }
  const message =
    `A POST has ${misplaced} in its JSON body: {"${misplaced}": "…"}. Use GET to send it in the ` +
    'query, with a + as %2B.';
  throw new ApiError('unknown_parameter', message, { parameter: misplaced, allowed: [] });
}

/** @throws ApiError `email_required`, or `bad_parameter` for a malformed address. */
export function readRegister(fields: Fields): EmailAddress {
  const email = textIn(fields, 'email');
  if (email === undefined) {
    throw new ApiError('email_required', 'Parameter email is required.', {
      parameter: 'email',
    });
  }
  return toAddress(email);
}

/**
 * The input of verify; with both given, request_id takes precedence.
 *
 * @throws ApiError `missing_fields`, or `bad_parameter` for a malformed code or address.
 */
export function readVerify(fields: Fields): VerifyInput {
  const code = textIn(fields, 'code');
  const requestId = textIn(fields, 'request_id');
  const email = textIn(fields, 'email');
  if (code === undefined || (requestId === undefined && email === undefined)) {
    throw new ApiError(
      'missing_fields',
      'Parameter code is required, together with request_id or email.',
      {
        parameter: code === undefined ? 'code' : 'request_id',
      },
    );
  }
  if (!CODE.test(code)) throw bad('code', `Parameter code must be ${CODE_DIGITS} digits.`);
  if (requestId === undefined) return { code, target: { address: toAddress(email ?? '') } };
  const id = parseRegistrationId(requestId);
  return { code, target: id === undefined ? undefined : { id } };
}

/** @throws ApiError `bad_parameter` without a request_id. */
export function readRequestId(fields: Fields): string {
  const requestId = textIn(fields, 'request_id');
  if (requestId === undefined) throw bad('request_id', 'Parameter request_id is required.');
  return requestId;
}

// Undefined: not given, or empty.
function textIn(fields: Fields, name: string): string | undefined {
  const value = fields.get(name) ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw bad(name, `Parameter ${name} must be text.`);
  const text = value.trim();
  return text === '' ? undefined : text;
}

function toAddress(text: string): EmailAddress {
  const address = parseEmailAddress(text);
  if (address !== undefined) return address;
  const advice = /\s/.test(text) ? ' In a URL, write a + of the address as %2B.' : '';
  throw bad('email', `Parameter email must be an email address.${advice}`);
}

// The message does not contain the value: it may be a code or a mistyped address.
function bad(parameter: string, message: string): ApiError {
  return new ApiError('bad_parameter', message, { parameter });
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
