import { ServiceTokenError, type ServiceTokenParties, verifyServiceToken } from '@vcds/credentials';
import type { Request, Response } from 'express';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';
import { readJsonBody } from './json-body.ts';
import { contextOf } from './request-context.ts';
import { sendJson } from './responses.ts';
import type { Route } from './routes.ts';

export interface ServiceRouteOptions {
  readonly path: string;
  /** The service that calls and the one that responds. */
  readonly parties: ServiceTokenParties;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
  /** Default 16 KiB. */
  readonly bodyBytesMax?: number;
  /** The body of the response: JSON text, or a value to serialize. */
  readonly respond: (body: unknown, response: Response) => Promise<unknown>;
}

/**
 * A POST route for another service (docs/spec/authentication.md 2.7): JSON in and out, never
 * cached. 401 for an invalid service token, before the body is read.
 */
export function serviceRoute(options: ServiceRouteOptions): Route {
  const { path, bodyBytesMax, respond } = options;
  const bounds = bodyBytesMax === undefined ? {} : { bytesMax: bodyBytesMax };
  return {
    method: 'POST',
    path,
    handler: async (request, response) => {
      assertService(request, options);
      const result = await respond(await readJsonBody(request, bounds), response);
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 200, result);
    },
  };
}

function assertService(request: Request, options: ServiceRouteOptions): void {
  const { parties, serviceTokenSecret, clock } = options;
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  try {
    if (scheme !== 'Bearer') throw new ServiceTokenError('The service token is missing.');
    verifyServiceToken(token, serviceTokenSecret, parties, clock);
  } catch (error) {
    if (!(error instanceof ServiceTokenError)) throw error;
    contextOf(request).logger.warn({ error }, 'service token rejected');
    throw new ApiError('unauthorized', error.message, { reason: 'malformed' });
  }
}
