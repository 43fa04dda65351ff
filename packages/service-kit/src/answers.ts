import type { Response } from 'express';

const JSON_TYPE = 'application/json';

/**
 * Answers JSON. Text is handed over untouched (a database may have built it); anything else is
 * serialised. Compressed by the edge from 1 KB on, when the client asks.
 */
export function sendJson(response: Response, status: number, body: unknown): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
  response.statusCode = status;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}

/** Marks an answer as the caller's own: no cache may keep it (decisions §3). */
export function keepPrivate(response: Response): void {
  response.setHeader('Cache-Control', 'private, no-store');
}
