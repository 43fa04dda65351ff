import { type Route, sendJson } from '@vcds/service-kit';
import type { AccessEndpoint, PublicUrls } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { REGISTRATION_ENDPOINTS } from './endpoints.ts';
import { readFields, readRegister, readRequestId, readVerify } from './input.ts';
import { parseRegistrationId } from './redis-keys.ts';
import { type RegisterOptions, register, registerBody } from './register.ts';
import { type VerifyOptions, verify, verifyBody } from './verify.ts';

export type RegistrationRoutesOptions = RegisterOptions & VerifyOptions & PublicUrls;

/** `/auth/register`, `/auth/verify` and `/auth/status`, each also as GET. */
export function registrationRoutes(options: RegistrationRoutesOptions): Route[] {
  const { register: registerAt, verify: verifyAt, status: statusAt } = REGISTRATION_ENDPOINTS;
  return [
    ...routesOf(registerAt, async (request, response) => {
      const address = readRegister(await readFields(request, registerAt));
      const opened = await register(options, address, request.ip);
      const id = 'id' in opened ? opened.id : undefined;
      sendJson(response, 202, registerBody(options, id));
    }),
    ...routesOf(verifyAt, async (request, response) => {
      const input = readVerify(await readFields(request, verifyAt));
      const issued = await verify(options, input, request.ip);
      sendJson(response, 200, verifyBody(options, issued));
    }),
    ...routesOf(statusAt, async (request, response) => {
      const query = readQuery(request, Object.keys(statusAt.fields));
      const id = parseRegistrationId(readRequestId(query));
      const status = id === undefined ? 'unknown' : await options.registrations.status(id);
      sendJson(response, 200, { status });
    }),
  ];
}

function routesOf({ path, methods }: AccessEndpoint, handler: Route['handler']): Route[] {
  return methods.map((method) => ({ method, path, handler }));
}
