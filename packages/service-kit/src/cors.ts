import type { Request, RequestHandler, Response } from 'express';

const EXPOSED = [
  'X-Credits-Charged',
  'X-Credits-Max-Price',
  'Idempotent-Replayed',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Key-Limit',
  'X-RateLimit-Key-Remaining',
  'X-Request-Id',
  'X-Model-Version',
  'Link',
  'X-Next-Cursor',
  'Content-Disposition',
  'X-Link-Omitted',
  'X-Hint',
  'X-Sandbox-Error',
  'X-Sandbox-Step',
  'Retry-After',
  'WWW-Authenticate',
  'Age',
  'OData-Version',
  'Preference-Applied',
].join(', ');
const ACCEPTED = [
  'X-Api-Key',
  'Authorization',
  'Content-Type',
  'X-Request-Id',
  'X-Credits-Max',
  'Idempotency-Key',
  'X-Sandbox-Error',
  'X-Sandbox-Step',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'OData-Version',
  'OData-MaxVersion',
  'Prefer',
].join(', ');
const PREFLIGHT_SECONDS = 86_400;

/** Sets the CORS headers of an API response: any origin, no cookies. */
export function setCorsHeaders(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
}

/** Removes them from a page: scripts of other origins may not read it. */
export function removeCorsHeaders(response: Response): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
}

/** Whether a request is a CORS preflight. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Handles OPTIONS: 204, free of charge, without authentication. */
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
