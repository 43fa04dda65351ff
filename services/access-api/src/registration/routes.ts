import { ACCESS_BASE_PATH, type Route, sendJson } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { ACCESS_PARAMETERS, type PublicUrls } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { readRequestId } from './input.ts';
import { parseRegistrationId } from './redis-keys.ts';
import { type RegisterOptions, registerHandler } from './register.ts';
import { type VerifyOptions, verifyHandler } from './verify.ts';

export type RegistrationRoutesOptions = RegisterOptions & VerifyOptions & PublicUrls;

/** `/auth/register`, `/auth/verify` and `/auth/status`, each also as GET. */
export function registrationRoutes(options: RegistrationRoutesOptions): Route[] {
  const register = registerHandler(options);
  const verify = verifyHandler(options);
  const status = async (request: Request, response: Response) => {
    const query = readQuery(request, ACCESS_PARAMETERS['/auth/status']);
    const id = parseRegistrationId(readRequestId(query));
    const state = id === undefined ? 'unknown' : await options.registrations.status(id);
    sendJson(response, 200, { status: state });
  };
  const path = (name: string): string => `${ACCESS_BASE_PATH}/auth/${name}`;
  return [
    { method: 'POST', path: path('register'), handler: register },
    { method: 'GET', path: path('register'), handler: register },
    { method: 'POST', path: path('verify'), handler: verify },
    { method: 'GET', path: path('verify'), handler: verify },
    { method: 'GET', path: path('status'), handler: status },
  ];
}
