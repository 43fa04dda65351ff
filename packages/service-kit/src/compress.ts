import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, Response } from 'express';
import { contextOf } from './request-context.ts';

const COMPRESSED_BYTES_MIN = 1024;
const compress = compression({
  threshold: COMPRESSED_BYTES_MIN,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
});
const done = (): void => undefined;

/** Compresses whatever the response will have as its body, if it is large enough. */
export function compressAny(request: Request, response: Response): void {
  contextOf(request).compresses = false;
  compress(request, response, done);
}

/**
 * Compresses a body of known size, just before it is sent, where the edge compresses. The package
 * wraps the methods of a response, which took 5 % of the processor time of a small response, so it
 * does that only for bodies that it may compress.
 */
export function compressKnown(response: Response, byteLength: number): void {
  const { req: request } = response;
  if (!contextOf(request).compresses) return;
  if (byteLength >= COMPRESSED_BYTES_MIN && request.headers['accept-encoding'] !== undefined) {
    compressAny(request, response);
  } else if (response.hasHeader('Vary')) {
    response.vary('Accept-Encoding');
  } else {
    response.setHeader('Vary', 'Accept-Encoding');
  }
}
