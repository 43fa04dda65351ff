import { ERROR_MEANINGS, ERRORS, type ErrorCode } from '@vcds/service-kit/api-errors';
import { COMMON_HEADERS, HEADERS, type HeaderName, headers } from './headers.ts';
import { arrayOf, INSTANT, object, ref, TEXT, URI } from './schemas.ts';
import type { ResponseObject, ResponsesObject, SchemaObject } from './types.ts';

const ANY_TEXT: SchemaObject = { oneOf: [TEXT, { type: 'number' }, { type: 'boolean' }] };

/** The member `error` of every error body (docs/spec/errors.md 11.1). */
export const ERROR_SCHEMA: SchemaObject = object(
  {
    code: { ...TEXT, description: 'The stable name of the error. Programs decide by it.' },
    message: { ...TEXT, description: 'A sentence for a person; it may change.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    trace_id: { ...TEXT, description: 'The `X-Request-Id` of the response.' },
    parameter: {
      ...TEXT,
      description:
        'The invalid parameter; `dimension`, `value` and `path` denote parts of the path, `X-Credits-Max`, `Idempotency-Key` and `Accept` the headers.',
    },
    field: { ...TEXT, description: 'The invalid field of the resource.' },
    value: { ...ANY_TEXT, description: 'The invalid text as sent, truncated to 200 characters.' },
    position: {
      type: 'integer',
      minimum: 0,
      description: 'Start of the error in `$filter` or a list of names, in characters from 0.',
    },
    allowed: arrayOf(
      { oneOf: [TEXT, { type: 'number' }] },
      { maxItems: 50, description: 'Valid alternatives.' },
    ),
    suggestion: { ...TEXT, description: 'The valid text that was probably meant.' },
    see: { ...URI, description: 'Where to read more.' },
    reason: {
      ...TEXT,
      enum: ['missing', 'malformed', 'unknown', 'revoked', 'expired'],
      description: 'Why the credential was rejected.',
    },
    id: { ...TEXT, description: 'The id that the record has now, of `moved_permanently`.' },
  },
  {
    description: 'An error. It costs no credits.',
    optional: [
      'parameter',
      'field',
      'value',
      'position',
      'allowed',
      'suggestion',
      'see',
      'reason',
      'id',
    ],
  },
);

const action = (type: string, more: Readonly<Record<string, SchemaObject>>): SchemaObject =>
  object({ type: { ...TEXT, enum: [type] }, ...more });

const REDUCE_PAGE_SIZE = action('reduce_page_size', {
  parameter: TEXT,
  max: { type: 'integer', description: 'The largest page with a sufficiently low price.' },
});

const CREDITS: SchemaObject = { type: 'integer', minimum: 0 };

/** The price of a call before it runs. */
export const QUOTE_SCHEMA: SchemaObject = object({
  credits_max: { ...CREDITS, description: 'The price with `records_max` records.' },
  credits_min: { ...CREDITS, description: 'The price without a record.' },
  base: { ...CREDITS, description: 'Credits before any record.' },
  per_record: { type: 'number', description: 'Credits for each record, without expands.' },
  expands: { type: 'integer', description: 'Expands; each adds 25 % to the price of a record.' },
  records_max: { type: 'integer', description: 'The most records that the call can return.' },
});

/** The credits of a key with a monthly limit of its own. */
export const KEY_CREDITS_SCHEMA: SchemaObject = object({
  limit: { ...CREDITS, minimum: 1, description: 'Credits a month that the key may use.' },
  remaining: {
    ...CREDITS,
    nullable: true,
    description: 'What is left of them; null while unknown.',
  },
});

/** The balance, and the maximum price of the call. */
export const CREDITS_SCHEMA: SchemaObject = object(
  {
    limit: { ...CREDITS, description: "The plan's allowance for the month." },
    remaining: { ...CREDITS, nullable: true, description: 'Null while the balance is unknown.' },
    required: { ...CREDITS, description: 'The maximum price of the call.' },
    plan: { ...TEXT, description: 'The pricing plan of the account.' },
    reset: { ...INSTANT, description: 'The next refill.' },
    key: { ...KEY_CREDITS_SCHEMA, description: 'Only of a key with a monthly limit of its own.' },
  },
  { optional: ['key'] },
);

const ATTEMPTS_LEFT = {
  attempts_left: { type: 'integer', minimum: 0, description: 'Attempts that remain.' },
} as const satisfies Readonly<Record<string, SchemaObject>>;

const EXHAUSTED: Readonly<Record<string, SchemaObject>> = {
  credits: CREDITS_SCHEMA,
  actions: arrayOf(
    {
      oneOf: [
        action('purchase_credits', { url: URI }),
        action('raise_key_limit', { url: URI }),
        REDUCE_PAGE_SIZE,
        action('wait', { until: INSTANT }),
      ],
    },
    { description: 'What helps.' },
  ),
};

/** The members beside `error`, of codes that have some. */
const BESIDE: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, SchemaObject>>>>> = {
  credits_exhausted: EXHAUSTED,
  key_limit_reached: EXHAUSTED,
  price_above_limit: {
    quote: QUOTE_SCHEMA,
    actions: arrayOf(
      {
        oneOf: [REDUCE_PAGE_SIZE, action('raise_limit', { parameter: TEXT, min: CREDITS })],
      },
      { description: 'What helps.' },
    ),
  },
  wrong_code: ATTEMPTS_LEFT,
  too_many_attempts: ATTEMPTS_LEFT,
};

const HEADERS_BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  301: ['Location'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  500: ['Retry-After'],
  503: ['Retry-After'],
};

/**
 * The responses of an operation that can fail with these codes, by status. Each enumerates its codes
 * in the schema and in `x-error-codes`.
 *
 * @param extra headers in addition to those of every response.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  extra: readonly HeaderName[] = [],
): ResponsesObject {
  const statuses = [...new Set(codes.map((code) => ERRORS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code] === status);
      return [String(status), errorResponse(status, own, extra)];
    }),
  );
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  extra: readonly HeaderName[],
): ResponseObject {
  const hasChallenge = codes.includes('unauthorized');
  const own = status === 401 && !hasChallenge ? [] : (HEADERS_BY_STATUS[status] ?? []);
  const shapes = [...new Set([undefined, ...codes.map((code) => BESIDE[code])])];
  const bodies = shapes.flatMap((beside) => {
    const alike = codes.filter((code) => BESIDE[code] === beside);
    return alike.length === 0 ? [] : [bodyOf(alike, beside)];
  });
  const [first, ...others] = bodies;
  const schema = first !== undefined && others.length === 0 ? first : { oneOf: bodies };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join('\n\n'),
    headers: {
      ...headers([...COMMON_HEADERS, ...own]),
      // Absent from errors that precede the check of the key.
      ...Object.fromEntries(extra.map((name) => [name, { ...HEADERS[name], required: false }])),
      ...(status === 405 && { Allow: HEADERS.Allow }),
    },
    content: { 'application/json': { schema } },
    'x-error-codes': [...codes],
  };
}

function bodyOf(
  codes: readonly ErrorCode[],
  beside: Readonly<Record<string, SchemaObject>> = {},
): SchemaObject {
  const code: SchemaObject = {
    type: 'object',
    properties: { code: { ...TEXT, enum: [...codes] } },
  };
  return object({ error: { allOf: [ref('Error'), code] }, ...beside });
}
