import { ApiError, readBody } from '@vcds/service-kit';
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
  const bytes = await readBody(request, BYTES_MAX, tooLarge);
  if (bytes.byteLength === 0) return new URLSearchParams();
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FORM_TYPE.test(type) || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'A form must be URL-encoded and not compressed.');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return new URLSearchParams(text);
  } catch (error) {
    throw new ApiError('bad_request', 'The form is not in UTF-8.', {}, { cause: error });
  }
}

function tooLarge(): ApiError {
  return new ApiError('body_too_large', `A form may have at most ${BYTES_MAX} bytes.`);
}

/**
 * Whether one of our own pages sent a form: the protection against cross-site request forgery.
 * `Sec-Fetch-Site`, which no page can set, must be `same-origin`. Browsers without it, and all
 * browsers over plain HTTP, send `Origin`, which must then be that of the public URL.
 *
 * @param publicUrl the root under which browsers reach this service, also behind a proxy.
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
