import type { HeaderObject, HeadersObject, SchemaObject } from './types.ts';

const text = (description: string, schema: SchemaObject = {}): HeaderObject => ({
  description,
  schema: { type: 'string', ...schema },
});
const count = (description: string, required = true): HeaderObject => ({
  description,
  required,
  schema: { type: 'integer', minimum: 0 },
});
const always = (header: HeaderObject): HeaderObject => ({ ...header, required: true });

/** Every header of the responses of both APIs (docs/spec/addresses.md 1.5). */
export const HEADERS = {
  'X-Request-Id': always(
    text('The id of the request; error bodies repeat it as `trace_id`. Name it to the support.', {
      pattern: '^[A-Za-z0-9-]{8,64}$',
    }),
  ),
  'X-Credits-Charged': count('Credits that the call cost; 0 for free calls and errors.'),
  'X-RateLimit-Limit': count("The plan's allowance of credits for the month."),
  'X-RateLimit-Remaining': count(
    'Credits that remain, including purchased ones, without open holds. Absent while the balance is unknown.',
    false,
  ),
  'X-RateLimit-Reset': count('The next refill of the allowance, in Unix seconds.'),
  'X-RateLimit-Key-Limit': count('Credits a month of a key with a limit of its own.', false),
  'X-RateLimit-Key-Remaining': count(
    'What such a key may still use this month; the account may have less.',
    false,
  ),
  Link: text(
    'The next page, while more records follow: `<URL>; rel="next"`. Follow it unchanged: `$skiptoken` is a position. Absent if it would exceed 4 KiB: see `X-Link-Omitted`.',
  ),
  'X-Hint': text(
    'A sentence for each value of `$filter` that occurs nowhere, with the nearest one that does. Hints are separated by `, `; within one, other commas, `%` and all but printable ASCII are percent-encoded.',
  ),
  'X-Link-Omitted': text(
    'More records follow, but a `Link` to them would exceed 4 KiB: increase `$skip` by `$top` instead.',
    { enum: ['next'] },
  ),
  'Idempotent-Replayed': text(
    'The call repeats one that was charged before, by its `Idempotency-Key`, and is not charged.',
    { enum: ['true'] },
  ),
  'X-Credits-Max-Price': count('Of HEAD: the greatest price of the call.', false),
  'X-Next-Cursor': text('Of CSV: what `nextCursor` has in JSON.'),
  'Content-Disposition': text('Of CSV: the name of a file for it.'),
  'X-Model-Version': text('The version of the model that ranked. Absent for a quote.'),
  'Retry-After': count('Seconds to wait before the call is repeated.', false),
  Allow: always(text('The methods that the path supports.')),
  'WWW-Authenticate': always(text('The form of credential that the call needs.')),
  Age: count('Seconds since the page was read, if it was not read for this call.', false),
  ETag: text('The version of the document, for `If-None-Match`.'),
  'Accept-Ranges': text('`Range` is supported.', { enum: ['bytes'] }),
  'Content-Range': text('The part of the file, and its size.'),
  Location: text('The address at which the file, or the record of today, is.'),
  'Cache-Control': text('Whether the response may be stored.'),
  Vary: text('The request headers that select the encoding of the body.'),
  'Content-Encoding': text(
    'The compression of bodies of 1 KiB or more, if the client accepts one.',
    {
      enum: ['br', 'gzip', 'deflate'],
    },
  ),
  'Access-Control-Allow-Origin': always(text('Scripts of any origin may read the response.')),
  'Access-Control-Expose-Headers': text('The headers that such scripts may read.'),
  'X-Content-Type-Options': text('The body has the stated type.', { enum: ['nosniff'] }),
  'X-Frame-Options': text('No page may frame the response.', { enum: ['DENY'] }),
  'Referrer-Policy': text('URLs are not passed on.', { enum: ['no-referrer'] }),
  'Content-Security-Policy': text('The response loads nothing.'),
  'Strict-Transport-Security': text('Sent where HTTPS is required.'),
} as const satisfies Readonly<Record<string, HeaderObject>>;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every response. */
export const COMMON_HEADERS = [
  'X-Request-Id',
  'Cache-Control',
  'Vary',
  'Content-Encoding',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'X-Frame-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Strict-Transport-Security',
] as const satisfies readonly HeaderName[];

/** The headers of every response to a valid key. */
export const CREDIT_HEADERS = [
  'X-Credits-Charged',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Key-Limit',
  'X-RateLimit-Key-Remaining',
] as const satisfies readonly HeaderName[];

/** References to headers of the components. */
export function headers(names: readonly HeaderName[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
