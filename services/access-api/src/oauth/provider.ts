/** The provider that the handlers of the MCP SDK call. */
import type { OAuthRegisteredClientsStore } from '@modelcontextprotocol/sdk/server/auth/clients.js';
import {
  InvalidGrantError,
  InvalidRequestError,
  InvalidScopeError,
  InvalidTargetError,
  InvalidTokenError,
  OAuthError,
  ServerError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { isScope, SCOPES, type Scope } from '@vcds/credentials';
import type { Logger } from '@vcds/service-kit';
import { CONNECT_PATH } from '../keys/endpoints.ts';
import { isDocumentId } from './client-documents.ts';
import { isRedirectUri } from './client-facts.ts';
import type { Encryption } from './encryption.ts';
import { clientDigestOf, type Grants, type NoTokens, type Tokens } from './grants.ts';

/** A person has this long to sign in and to decide. */
export const REQUEST_MS = 30 * 60_000;
/** Characters. */
export const STATE_LENGTH_MAX = 1_024;
const CHALLENGE = /^[\w-]{43}$/;

/** A valid authorization request, which a page asks a person about. */
export interface ConnectRequest {
  readonly clientDigest: string;
  readonly clientName: string;
  /** The host of its metadata document; undefined: its name is not checked. */
  readonly clientHost?: string | undefined;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly state: string | undefined;
  /** Of those that the client asked for; all if it asked for none of ours. */
  readonly scopes: readonly Scope[];
}

export interface ProviderOptions {
  readonly clients: OAuthRegisteredClientsStore;
  readonly grants: Grants;
  readonly encryption: Encryption;
  /** The only protected resource. */
  readonly resource: string;
  readonly logger: Logger;
}

/**
 * A request is not stored: it is encrypted in the address of the page of consent, so that no number of
 * requests fills a store. Only the consent of a signed-in person writes.
 */
export function createProvider(options: ProviderOptions): OAuthServerProvider {
  const { clients, grants, encryption, resource, logger } = options;
  const assertResource = (asked: URL | undefined): void => {
    if (asked === undefined || asked.href === new URL(resource).href) return;
    throw new InvalidTargetError(`The only resource is ${resource}.`);
  };
  const provider: OAuthServerProvider = {
    clientsStore: clients,
    authorize: async (client, asked, response) => {
      assertResource(asked.resource);
      const { codeChallenge, redirectUri, state } = asked;
      const scopes = named(asked.scopes);
      if (!CHALLENGE.test(codeChallenge))
        throw new InvalidRequestError('code_challenge is malformed');
      if ((state?.length ?? 0) > STATE_LENGTH_MAX || !isRedirectUri(redirectUri)) {
        throw new InvalidRequestError(`state has at most ${STATE_LENGTH_MAX} characters`);
      }
      if (!scopes.every(isScope)) {
        throw new InvalidScopeError(`The scopes are ${SCOPES.join(', ')}.`);
      }
      const { client_id: clientId, client_name: clientName = '' } = client;
      const clientHost = isDocumentId(clientId) ? new URL(clientId).host : undefined;
      const clientDigest = clientDigestOf(clientId);
      const request = { clientDigest, clientName, clientHost, redirectUri, codeChallenge, state };
      const encrypted = encryption.encrypt('request', { ...request, scopes }, REQUEST_MS);
      response.redirect(302, `${CONNECT_PATH}?request=${encrypted}`);
    },
    challengeForAuthorizationCode: async ({ client_id: clientId }, code) => {
      const challenge = await grants.challengeOf(clientId, code);
      if (challenge === undefined) throw new InvalidGrantError('The code is unknown.');
      return challenge;
    },
    exchangeAuthorizationCode: async ({ client_id: clientId }, code, _, redirectUri, asked) => {
      assertResource(asked);
      return bodyOf(
        await grants.redeem(clientId, code, redirectUri),
        'The code was used or is over.',
      );
    },
    exchangeRefreshToken: async ({ client_id: clientId }, token, scopes, asked) => {
      assertResource(asked);
      return bodyOf(
        await grants.refresh(clientId, token, named(scopes)),
        'The connection is over; connect again.',
      );
    },
    verifyAccessToken: async () => {
      throw new InvalidTokenError('Tokens are checked by the data API.');
    },
    revokeToken: ({ client_id: clientId }, { token }) => grants.revoke(clientId, token),
  };
  return logged(provider, logger);
}

// The handlers split the text at each space. A repeated name is one.
function named(scopes: readonly string[] = []): readonly string[] {
  return [...new Set(scopes.filter((scope) => scope !== ''))];
}

function bodyOf(tokens: Tokens | NoTokens, message: string): OAuthTokens {
  switch (tokens) {
    case 'over':
      throw new InvalidGrantError(message);
    case 'other redirect':
      throw new InvalidGrantError('redirect_uri differs from that of the authorization request.');
    case 'other scope':
      throw new InvalidScopeError('A refresh asks only for scopes that were granted.');
  }
  const { access, refresh, expiresInSeconds, scopes } = tokens;
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}

// The handlers answer any other error with 500 and do not log it.
function logged(provider: OAuthServerProvider, logger: Logger): OAuthServerProvider {
  const wrap =
    <Args extends unknown[], T>(act: (...args: Args) => Promise<T> | T) =>
    async (...args: Args): Promise<T> => {
      try {
        return await act(...args);
      } catch (error) {
        if (error instanceof OAuthError) throw error;
        logger.error({ error }, 'an OAuth request failed');
        throw new ServerError('The request failed. Retry later.');
      }
    };
  const { clientsStore, revokeToken, ...steps } = provider;
  const { getClient, registerClient } = clientsStore;
  return {
    authorize: wrap(steps.authorize),
    challengeForAuthorizationCode: wrap(steps.challengeForAuthorizationCode),
    exchangeAuthorizationCode: wrap(steps.exchangeAuthorizationCode),
    exchangeRefreshToken: wrap(steps.exchangeRefreshToken),
    verifyAccessToken: wrap(steps.verifyAccessToken),
    ...(revokeToken && { revokeToken: wrap(revokeToken) }),
    clientsStore: {
      getClient: wrap(getClient),
      ...(registerClient && { registerClient: wrap(registerClient) }),
    },
  };
}

/** The request of the page; undefined if it is over or was not made here. */
export function openRequest(encryption: Encryption, encrypted: string): ConnectRequest | undefined {
  return encryption.decrypt<ConnectRequest>('request', encrypted);
}
