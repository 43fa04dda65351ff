import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { ApiError } from './errors.ts';

/** Parameters of a media range other than its weight: `charset=utf-8`, `odata.metadata=minimal`. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,"]*(?:"[^"]*")?[^;,"]*/gi;

/**
 * The type that the client prefers (RFC 9110 §12.5.1); the first one if it has no preference. Parameters of
 * types do not matter.
 *
 * @param types those that the endpoint has, the default first.
 * @throws ApiError `not_acceptable` if the client accepts none of them.
 */
export function acceptedType<T extends string>(
  { headers: { accept } }: IncomingMessage,
  types: readonly [T, ...T[]],
): T {
  const [first] = types;
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || accept === first) {
    return first;
  }
  const plain = accept.replaceAll(PARAMETERS, '');
  const preferred = new Negotiator({ headers: { accept: plain } }).mediaType([...types]);
  const type = types.find((each) => each === preferred);
  if (type !== undefined) return type;
  const message = `This endpoint responds with ${types.join(' or ')}. Accept it, or omit the header.`;
  throw new ApiError('not_acceptable', message, {
    parameter: 'Accept',
    value: accept,
    allowed: types,
  });
}
