import type { Request, RequestHandler, Response } from 'express';

const EXPOSED = [
  'X-Credits-Charged',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Link',
  'Retry-After',
].join(', ');
const ACCEPTED = ['X-Api-Key', 'Authorization', 'Content-Type', 'X-Request-Id'].join(', ');
const PREFLIGHT_SECONDS = 86_400;

/** The headers of every API answer: any origin, never cookies (decisions §3). */
export function setCorsHeaders(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
}

/** For pages: no other origin's script may read them. */
export function removeCorsHeaders(response: Response): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
}

/** Whether a browser asks if it may call. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** OPTIONS: free, unauthenticated, 204. */
export function preflight(allow: readonly string[]): RequestHandler {
  const methods = allow.join(', ');
  return (_request, response) => {
    response.setHeader('Allow', methods);
    response.setHeader('Access-Control-Allow-Methods', methods);
    response.setHeader('Access-Control-Allow-Headers', ACCEPTED);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
