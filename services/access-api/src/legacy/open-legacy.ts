import { JWKS_PATH } from '@vcds/credentials';
import {
  DATA_BASE_PATH,
  type Logger,
  type RedisClient,
  type Route,
  sendJson,
  unauthorizedToken,
} from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import type { Stores } from '../accounts/stores.ts';
import type { KeyChecker } from '../keys/check-key.ts';
import type { AccessEndpoint } from '../keys/endpoints.ts';
import type { TokenChecker } from '../keys/identify-caller.ts';
import { readQuery } from '../keys/read-query.ts';
import type { RegistrationSecrets } from '../registration/secrets.ts';
import { PASSWORD_LIMITS } from './attempt-limits.ts';
import { readBasicCredentials } from './basic-credentials.ts';
import { countExchanges, createExchange, type Exchange } from './exchange.ts';
import type { SigningKeys } from './legacy-config.ts';
import { createLogins } from './logins.ts';
import { createPasswordCheck, type ScryptCost } from './password.ts';
import {
  createTokenChecker,
  createTokenStore,
  TOKENS_PER_KEY,
  type TokenStore,
} from './token-store.ts';

interface OpenLegacyOptions extends Stores {
  readonly keys: SigningKeys | undefined;
  readonly secrets: RegistrationSecrets;
  readonly redis: RedisClient;
  readonly checkKey: KeyChecker;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Of a comparison for an unknown user. Default: that of the service. */
  readonly passwordCost?: ScryptCost | undefined;
}

/** The older token exchange: its endpoints, and the check of its tokens. */
export interface Legacy {
  readonly publicRoutes: readonly Route[];
  /** The key set for data-api. */
  readonly internalRoutes: readonly Route[];
  readonly tokens: TokenStore;
  readonly checkToken: TokenChecker;
}

/**
 * Creates the exchange. Without a signing key there is none: no endpoint, and every token is
 * rejected.
 */
export function openLegacy(options: OpenLegacyOptions): Legacy {
  const { keys, secrets, redis, checkKey, logger, clock } = options;
  const tokens = createTokenStore(redis, clock);
  if (keys === undefined) {
    logger.warn('LEGACY_SIGNING_KEY is not set: the older token exchange is disabled');
    const checkToken = () => Promise.reject(unauthorizedToken('unknown'));
    return { publicRoutes: [], internalRoutes: [], tokens, checkToken };
  }
  const exchange = createExchange({
    keys,
    logins: createLogins(options),
    checkKey,
    tokens,
    isPassword: createPasswordCheck(options.passwordCost),
    ...{ redis, secrets, clock },
  });
  return {
    publicRoutes: [exchangeRoute(countExchanges(exchange, options.registry)), keySetRoute(keys)],
    internalRoutes: [keySetRoute(keys)],
    tokens,
    checkToken: createTokenChecker({ keys, tokens, checkKey, clock }),
  };
}

/** The older scheme has its own version in its path. */
export const EXCHANGE_ENDPOINT = Object.freeze<AccessEndpoint>({
  path: `${DATA_BASE_PATH}/auth/token`,
  methods: ['POST'],
  summary: 'Exchange a key, or user name and password, for a token of the older scheme.',
  fields: {},
  requires: [[]],
  limits: [
    `The same credentials get at most ${TOKENS_PER_KEY.max} tokens an hour.`,
    `A network can send ${PASSWORD_LIMITS.perNetwork.max} wrong passwords an hour, a user name ${PASSWORD_LIMITS.perUserName.max}; further calls are 429.`,
  ],
  operations: { POST: 'exchangeToken' },
  tag: 'Legacy tokens',
  credentials: 'basic',
  response: { status: 200, text: 'A token.', schema: 'Token' },
  errors: ['missing_fields', 'unauthorized', 'too_many_requests'],
});

/** `POST /v2/auth/token`: 200 `{token}`, 400, 401, 429. */
function exchangeRoute(exchange: Exchange): Route {
  return {
    method: 'POST',
    path: EXCHANGE_ENDPOINT.path,
    handler: async (request, response) => {
      readQuery(request, []);
      const token = await exchange(readBasicCredentials(request), request.ip);
      sendJson(response, 200, { token });
    },
  };
}

/** The public keys, also on the internal listener for data-api. */
function keySetRoute({ published }: Pick<SigningKeys, 'published'>): Route {
  const body = JSON.stringify({ keys: published });
  return {
    method: 'GET',
    path: JWKS_PATH,
    handler: (request, response) => {
      readQuery(request, []);
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 200, body);
    },
  };
}
