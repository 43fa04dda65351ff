import type { IncomingMessage } from 'node:http';
import { API_KEY_PREFIX } from '@vcds/credentials';
import { ApiError } from '@vcds/service-kit';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** RFC 7617 §2: no control characters in either part. */
const CONTROL = /\p{Cc}/u;

/** The credentials of an exchange: a key in place of the user name, or user name and password. */
export type BasicCredentials =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'password'; readonly userName: string; readonly password: string };

/**
 * The credentials in `Authorization: Basic` (RFC 7617). A user name that begins like a key is a
 * key; its password is ignored.
 *
 * @throws ApiError `missing_fields` without a header, user name or password; `bad_parameter` for a
 *   malformed or duplicate header. The message never contains the input.
 */
export function readBasicCredentials({ rawHeaders }: IncomingMessage): BasicCredentials {
  const values = rawHeaders.filter(
    (_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization',
  );
  const [value = ''] = values;
  if (value.trim() === '') throw missing('Send the header Authorization: Basic.');
  const [scheme = '', encoded = '', ...rest] = value.trim().split(/\s+/);
  if (values.length > 1 || rest.length > 0 || scheme.toLowerCase() !== 'basic') throw malformed();
  if (encoded === '') throw missing('The Authorization header contains no credentials.');
  const text = decode(encoded);
  const colon = text.indexOf(':');
  const userName = colon < 0 ? text : text.slice(0, colon);
  if (userName === '') throw missing('The user name is missing.');
  if (userName.startsWith(API_KEY_PREFIX)) return { kind: 'key', text: userName };
  const password = colon < 0 ? '' : text.slice(colon + 1);
  if (password === '') throw missing('The password is missing.');
  return { kind: 'password', userName, password };
}

function decode(encoded: string): string {
  if (!BASE64.test(encoded)) throw malformed();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw malformed();
  }
  if (CONTROL.test(text)) throw malformed();
  return text;
}

function missing(message: string): ApiError {
  return new ApiError('missing_fields', message, { parameter: 'Authorization' });
}

function malformed(): ApiError {
  return new ApiError(
    'bad_parameter',
    'The Authorization header must be: Basic, then user name, colon and password in base64.',
    { parameter: 'Authorization' },
  );
}
