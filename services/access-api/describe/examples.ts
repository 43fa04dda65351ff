/** Bodies as the service makes them, for a registration and an account that do not exist. */
import type { ApiKey } from '@vcds/credentials';
import { type Balance, PLANS } from '@vcds/metering';
import { PLACEHOLDER_URLS } from '@vcds/portal';
import { ApiError, type ProblemBody, problemBody, unauthorized } from '@vcds/service-kit';
import { usageBody } from '../src/credits/usage-route.ts';
import { ACCESS_FIELDS, accessUrl } from '../src/keys/endpoints.ts';
import { acceptQuery } from '../src/keys/read-query.ts';
import { rootListing } from '../src/pages/root-listing.ts';
import { parseEmailAddress } from '../src/registration/email-address.ts';
import { readRegister, readRequestId, readVerify } from '../src/registration/input.ts';
import { tooManyKeys } from '../src/registration/issuance.ts';
import { LIMITS } from '../src/registration/limits.ts';
import { parseRegistrationId } from '../src/registration/redis-keys.ts';
import { registerBody } from '../src/registration/register.ts';
import { codeError, verifyBody } from '../src/registration/verify.ts';

const TRACE_ID = '3f0c9a52-6e0b-4c55-9a5e-0e3a5d8d1c11';
const ISSUED_MS = Date.UTC(2026, 10, 21, 9, 30);
const RESET_AT = new Date(Date.UTC(2026, 11, 1));
const REQUEST_ID = parseRegistrationId(ACCESS_FIELDS.request_id.example);
const EMAIL = parseEmailAddress(ACCESS_FIELDS.email.example);
const { creditsPerMonth: limit } = PLANS.free;
const BALANCE: Balance = {
  ...{ limit, remaining: limit, used: 0, held: 0, purchased: 0, period: 202611, resetAt: RESET_AT },
  key: null,
};

/** A key of the right form, which no account has. */
export const EXAMPLE_KEY = 'pk_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm' as ApiKey;

export const ROOT_EXAMPLE = rootListing(PLACEHOLDER_URLS);
export const USAGE_EXAMPLE = usageBody({ ...BALANCE, remaining: 499 });
export const TOKEN_EXAMPLE = {
  token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIwYjVlMWYwZSJ9.c2lnbmF0dXJl',
};
export const KEY_SET_EXAMPLE = {
  keys: [
    {
      ...{ kty: 'RSA', use: 'sig', alg: 'RS256' },
      kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
      ...{ n: 'vX0Hh3l8gW8', e: 'AQAB' },
    },
  ],
};
export const STATUS_EXAMPLE = { status: 'pending' };
export const REGISTER_EXAMPLES = {
  sent: registerBody(PLACEHOLDER_URLS, REQUEST_ID),
  accepted: registerBody(PLACEHOLDER_URLS, undefined),
};
export const VERIFY_EXAMPLE =
  EMAIL &&
  verifyBody(PLACEHOLDER_URLS, {
    key: {
      ...{ apiKey: EXAMPLE_KEY, keyId: '', accountId: '' },
      expiresAt: new Date(ISSUED_MS + LIMITS.keySeconds * 1_000),
    },
    ...{ email: EMAIL, plan: 'free', balance: BALANCE },
  });

/** Calls that fail, as the service fails them, by the name of the example. */
export const ERROR_EXAMPLES = {
  unknown_parameter: errorOf(() =>
    acceptQuery({ parameters: new Map([['emial', 'x']]), error: undefined }, ['email']),
  ),
  email_required: errorOf(() => readRegister(new Map())),
  malformed_email: errorOf(() => readRegister(new Map([['email', 'ada']]))),
  missing_fields: errorOf(() => readVerify(new Map([['email', 'ada@example.com']]))),
  malformed_code: errorOf(() =>
    readVerify(new Map(Object.entries({ email: 'ada@example.com', code: '12' }))),
  ),
  missing_request_id: errorOf(() => readRequestId(new Map())),
  wrong_code: bodyOf(codeError({ outcome: 'wrong_code', attemptsLeft: 4, wasWrong: true })),
  too_many_keys: bodyOf(tooManyKeys()),
  too_many_attempts: bodyOf(codeError({ outcome: 'too_many_attempts', wasWrong: true })),
  network_limit: bodyOf(codeError({ outcome: 'network_limit', waitMs: 1_800_000 })),
  invalid_or_expired: bodyOf(codeError({ outcome: 'invalid_or_expired' })),
  missing_key: bodyOf(unauthorized('missing')),
} as const;

export type ErrorExample = keyof typeof ERROR_EXAMPLES;

function errorOf(fail: () => unknown): ProblemBody {
  try {
    fail();
  } catch (error) {
    if (error instanceof ApiError) return bodyOf(error);
    throw error;
  }
  throw new Error('The example of an error succeeds.');
}

function bodyOf({ code, message, details }: ApiError): ProblemBody {
  const isAbout = details.parameter !== undefined || details.field !== undefined;
  const see = isAbout ? { see: accessUrl(PLACEHOLDER_URLS) } : {};
  return problemBody(new ApiError(code, message, { ...details, ...see }), TRACE_ID);
}
