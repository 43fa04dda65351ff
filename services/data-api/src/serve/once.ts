/** The header `Idempotency-Key` (docs/spec/credits.md 10.14). */
import { createHash } from 'node:crypto';
import type { Once } from '@vcds/metering';
import { IDEMPOTENCY_KEY_HEADER } from '../credits/errors.ts';
import type { Call } from './call.ts';
import { badParameter } from './request/parameter-reader.ts';
import type { TextParameter } from './request/parameters.ts';

const KEY_LENGTH_MAX = 255;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Every endpoint accepts it. */
export const IDEMPOTENCY_KEY: TextParameter = {
  kind: 'text',
  name: IDEMPOTENCY_KEY_HEADER,
  lengthMax: KEY_LENGTH_MAX,
  description:
    'A new text for each call, such as a UUID, and the same one when the call is repeated: within 24 hours it is charged once.',
};

/**
 * The calls that a call is charged once with: those of the account with its key. The request is its path and
 * its parameters, in any order, and its body.
 *
 * @throws ApiError `bad_parameter` for a key that is empty, too long or has other characters.
 */
export function onceOf({ request, parameters }: Call, body?: unknown): Once | undefined {
  const key = request.get(IDEMPOTENCY_KEY_HEADER);
  if (key === undefined) return undefined;
  if (!KEY.test(key)) {
    const message = `Header ${IDEMPOTENCY_KEY_HEADER} must have 1 to ${KEY_LENGTH_MAX} visible ASCII characters.`;
    throw badParameter(IDEMPOTENCY_KEY_HEADER, key, message);
  }
  const written = [...parameters].sort(([a], [b]) => (a < b ? -1 : 1));
  const sent = [request.path, written, ...(body === undefined ? [] : [body])];
  return { key: digest(key), request: digest(JSON.stringify(sent)) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
