import type { Response } from 'express';
import { compressKnown } from './compress.ts';

const JSON_TYPE = 'application/json';

/**
 * Sends a JSON response. Text is sent unchanged (a database may have built it); anything else is
 * serialized. The edge compresses bodies of 1 KiB or more when the client accepts it.
 */
export function sendJson(response: Response, status: number, body: unknown): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
  response.statusCode = status;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', bytes.byteLength);
  compressKnown(response, bytes.byteLength);
  response.end(bytes);
}

/** Marks a response as private to its caller: no cache may store it. */
export function keepPrivate(response: Response): void {
  response.setHeader('Cache-Control', 'private, no-store');
}
