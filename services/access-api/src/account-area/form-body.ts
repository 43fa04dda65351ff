import { ApiError } from '@vcds/service-kit';
import type { Request } from 'express';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;
const BYTES_MAX = 16 * 1024;

/**
 * The fields of a form. No body is a form without fields.
 *
 * @throws ApiError `unsupported_media_type` unless it is an uncompressed urlencoded form,
 *   `body_too_large` above 16 KiB, `bad_request` for what is not UTF-8.
 */
export async function readFormBody(request: Request): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  assertSize(Number(request.headers['content-length'] ?? 0));
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    assertSize(bytes);
    chunks.push(chunk);
  }
  if (bytes === 0) return new URLSearchParams();
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FORM_TYPE.test(type) || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'Forms are read as they come from the page.');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return new URLSearchParams(text);
  } catch (error) {
    throw new ApiError('bad_request', 'The form is not in UTF-8.', {}, { cause: error });
  }
}

function assertSize(bytes: number): void {
  if (bytes <= BYTES_MAX) return;
  throw new ApiError('body_too_large', `A form may be at most ${BYTES_MAX} bytes long.`);
}
