import { type Route, seeUrl, sendJson } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { creditsBody } from '../credits/credits-body.ts';
import { ACCESS_BASE_PATH, ACCESS_PARAMETERS } from '../pages/root-routes.ts';
import { readFields, readQuery, readRegister, readRequestId, readVerify } from './input.ts';
import type { Issued } from './issuance.ts';
import { LIMITS } from './limits.ts';
import { parseRegistrationId } from './redis-keys.ts';
import { invalidOrExpired, type Registrations } from './registrations.ts';

const REGISTER_FIELDS = ACCESS_PARAMETERS['/auth/register'];
const VERIFY_FIELDS = ACCESS_PARAMETERS['/auth/verify'];
const STATUS_FIELDS = ACCESS_PARAMETERS['/auth/status'];

export interface RegistrationRoutesOptions {
  readonly registrations: Registrations;
  /** Public roots of both services, without a version segment. */
  readonly accessPublicUrl: string;
  readonly dataPublicUrl: string;
}

/** `/auth/register`, `/auth/verify`, `/auth/status`, with their GET variants (spec §4.6). */
export function registrationRoutes(options: RegistrationRoutesOptions): Route[] {
  const { registrations } = options;
  const register = (request: Request, response: Response) =>
    answerRegister(options, request, response);
  const verify = async (request: Request, response: Response) => {
    const { code, target } = readVerify(await readFields(request, VERIFY_FIELDS));
    if (target === undefined) throw invalidOrExpired();
    const issued = await registrations.verify(target, code, request.ip);
    sendJson(response, 200, verifiedBody(options, issued));
  };
  const status = async (request: Request, response: Response) => {
    const id = parseRegistrationId(readRequestId(readQuery(request, STATUS_FIELDS)));
    const state = id === undefined ? 'unknown' : await registrations.status(id);
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

async function answerRegister(
  { registrations, accessPublicUrl }: RegistrationRoutesOptions,
  request: Request,
  response: Response,
): Promise<void> {
  const address = readRegister(await readFields(request, REGISTER_FIELDS));
  const id = await registrations.register(address, request.ip);
  const status = seeUrl(accessPublicUrl, `${ACCESS_BASE_PATH}/auth/status`);
  const verify = seeUrl(accessPublicUrl, `${ACCESS_BASE_PATH}/auth/verify`);
  sendJson(response, 202, {
    status: id === undefined ? 'accepted' : 'sent',
    message:
      'If this address can receive mail, a message with a six-digit code and a sign-in link is ' +
      'on its way to it.',
    ...(id === undefined ? {} : { request_id: id }),
    expires_in: LIMITS.codeMs / 1000,
    next:
      `Ask the person for the code and send it within ten minutes to ${verify}, with request_id ` +
      'or with the address as email. A person who would rather not share the code can open the ' +
      `link in the message instead; ${status} then says link_used. Poll that no more often than ` +
      'every 15 seconds, and stop after ten minutes.',
  });
}

function verifiedBody(
  { accessPublicUrl, dataPublicUrl }: RegistrationRoutesOptions,
  { key, email, balance }: Issued,
): object {
  const baseUrl = seeUrl(dataPublicUrl, '/v2');
  return {
    api_key: key.apiKey,
    expires_at: key.expiresAt?.toISOString() ?? null,
    email,
    credits: creditsBody(balance),
    base_url: baseUrl,
    usage:
      'Send the key with every call in the header X-Api-Key, for example: ' +
      `curl -H "X-Api-Key: <API_KEY>" "${baseUrl}/categories"`,
    docs_url: seeUrl(accessPublicUrl, '/docs'),
    manage_url: seeUrl(accessPublicUrl, '/account'),
    notice:
      'This key is shown once and never again: keep it where secrets are kept. It works for 30 ' +
      'days; registering again with the same address gives a fresh one on the same account and ' +
      'the same allowance.',
  };
}
