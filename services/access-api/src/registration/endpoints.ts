import { ACCESS_BASE_PATH } from '@vcds/service-kit';
import { ACCESS_FIELDS, type AccessEndpoint } from '../keys/endpoints.ts';
import { HOUR_MS, NETWORK_LIMITS } from '../limits/windows.ts';
import { CODE_MINUTES, LIMITS } from './limits.ts';

const { email, request_id, code } = ACCESS_FIELDS;
const path = (name: string): string => `${ACCESS_BASE_PATH}/auth/${name}`;
const { perNetwork, perSite } = NETWORK_LIMITS;

/** The endpoints of registration (docs/spec/registration.md 3.1). */
export const REGISTRATION_ENDPOINTS = Object.freeze({
  register: {
    path: path('register'),
    methods: ['POST', 'GET'],
    summary: 'Send a code to an email address.',
    fields: { email },
    requires: [['email']],
    limits: [
      `An address can be registered ${LIMITS.perAddress.max} times an hour; further calls get the same response without request_id.`,
      `A network (an IPv4 address or an IPv6 /64) can register ${perNetwork.max} times an hour, an IPv6 /48 ${perSite.max} times; further calls are 429.`,
    ],
    operations: { POST: 'register', GET: 'registerByQuery' },
    tag: 'Registration',
    response: { status: 202, text: 'Accepted.', schema: 'Registration' },
    errors: ['email_required', 'too_many_requests'],
  },
  verify: {
    path: path('verify'),
    methods: ['POST', 'GET'],
    summary: 'Exchange the code for an API key.',
    fields: { request_id, email, code },
    requires: [
      ['request_id', 'code'],
      ['email', 'code'],
    ],
    limits: [
      `A code is valid for ${CODE_MINUTES} minutes and ${LIMITS.attemptsMax} attempts.`,
      `An address can have ${LIMITS.wrongCodes.max} wrong codes in ${LIMITS.wrongCodes.windowMs / HOUR_MS} hours, a network ${perNetwork.max} an hour; further calls are 429.`,
    ],
    operations: { POST: 'verify', GET: 'verifyByQuery' },
    tag: 'Registration',
    response: { status: 200, text: 'A key, shown only this once.', schema: 'Key' },
    errors: [
      ...(['missing_fields', 'wrong_code', 'invalid_or_expired'] as const),
      ...(['too_many_keys', 'too_many_attempts', 'too_many_requests'] as const),
    ],
  },
  status: {
    path: path('status'),
    methods: ['GET'],
    summary: 'The state of a registration.',
    fields: { request_id },
    requires: [['request_id']],
    limits: [
      `Poll at most every ${LIMITS.pollSecondsMin} seconds, for at most ${CODE_MINUTES} minutes.`,
    ],
    operations: { GET: 'registrationStatus' },
    tag: 'Registration',
    response: { status: 200, text: 'The state.', schema: 'RegistrationStatus' },
    errors: [],
  },
} as const satisfies Readonly<Record<string, AccessEndpoint>>);
