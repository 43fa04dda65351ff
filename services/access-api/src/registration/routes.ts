import { type Route, sendJson } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { PublicUrls } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { REGISTRATION_ENDPOINTS } from './endpoints.ts';
import { readRequestId } from './input.ts';
import { parseRegistrationId } from './redis-keys.ts';
import { type RegisterOptions, registerHandler } from './register.ts';
import { type VerifyOptions, verifyHandler } from './verify.ts';

export type RegistrationRoutesOptions = RegisterOptions & VerifyOptions & PublicUrls;

/** `/auth/register`, `/auth/verify` and `/auth/status`, each also as GET. */
export function registrationRoutes(options: RegistrationRoutesOptions): Route[] {
  const endpoints = REGISTRATION_ENDPOINTS;
  const register = registerHandler(options);
  const verify = verifyHandler(options);
  const status = async (request: Request, response: Response) => {
    const query = readQuery(request, Object.keys(endpoints.status.fields));
    const id = parseRegistrationId(readRequestId(query));
    const state = id === undefined ? 'unknown' : await options.registrations.status(id);
    sendJson(response, 200, { status: state });
  };
  const handlers = { register, verify, status };
  return (['register', 'verify', 'status'] as const).flatMap((name) =>
    endpoints[name].methods.map((method) => ({
      method,
      path: endpoints[name].path,
      handler: handlers[name],
    })),
  );
}
