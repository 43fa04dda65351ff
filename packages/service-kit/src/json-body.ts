import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import { readBody } from './read-body.ts';

const BODY_BYTES_MAX = 16 * 1024;

/**
 * The JSON body of a request.
 *
 * @throws ApiError `unsupported_media_type` unless it is `application/json` in UTF-8 and not
 *   compressed, `body_too_large` above `bytesMax` (16 KiB), `bad_json` if it is not valid JSON.
 */
export async function readJsonBody(
  request: IncomingMessage,
  bytesMax = BODY_BYTES_MAX,
): Promise<unknown> {
  assertJson(request);
  const bytes = await readBody(request, bytesMax, () => tooLarge(bytesMax));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = 'The request body is not valid JSON in UTF-8.';
    throw new ApiError('bad_json', message, {}, { cause: error });
  }
}

function assertJson({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) || encoding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      'Send the body as Content-Type: application/json, in UTF-8 and not compressed.',
    );
  }
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('body_too_large', `Request body too large; the limit is ${bytesMax} bytes.`);
}
