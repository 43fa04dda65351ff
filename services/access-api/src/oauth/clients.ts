/** The clients of the authorization server. None is stored: a registered one is its own id. */
import { randomBytes } from 'node:crypto';
import type { OAuthRegisteredClientsStore } from '@modelcontextprotocol/sdk/server/auth/clients.js';
import {
  CustomOAuthError,
  InvalidClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Clock } from '@vcds/service-kit';
import { type ClientDocuments, isDocumentId } from './client-documents.ts';
import { type ClientFacts, clientFacts } from './client-facts.ts';
import type { Encryption } from './encryption.ts';

/** A registration ends after this. */
const REGISTERED_MS = 180 * 86_400_000;
const PREFIX = 'vcds_client_';

/** The facts in an id; {r} makes ids differ. */
interface Encoded {
  readonly n: string;
  readonly u: readonly string[];
  readonly r: string;
}

export interface ClientsOptions {
  readonly encryption: Encryption;
  readonly documents: ClientDocuments;
  readonly clock: Clock;
  /**
   * Whether name and redirect URIs are needed. A token is bound to the id of its client alone, so that
   * no document is fetched for it.
   */
  readonly needsFacts: boolean;
  /** Counts a document that is fetched against the network of the request; false beyond its limit. */
  readonly mayFetch: () => Promise<boolean>;
}

/**
 * Clients by their metadata document, or by a registration (RFC 7591) whose facts are encrypted in its id
 * (stateless, as in appendix A.5.2): no number of registrations fills a store.
 */
export function createClients(options: ClientsOptions): OAuthRegisteredClientsStore {
  const { encryption, documents, clock, mayFetch, needsFacts } = options;
  return {
    getClient: async (clientId) => {
      if (clientId.startsWith(PREFIX)) {
        const value = encryption.decrypt<Encoded>('client', clientId.slice(PREFIX.length));
        const facts = value && { name: value.n, redirectUris: value.u };
        return facts && infoOf(clientId, facts);
      }
      if (!isDocumentId(clientId)) {
        if (!clientId.includes('://')) return undefined;
        throw new InvalidClientError('A client_id that is an address is https, with a path only.');
      }
      if (!needsFacts) return infoOf(clientId, { name: '', redirectUris: [] });
      const facts = await documents(clientId, mayFetch);
      if (typeof facts === 'string') throw new InvalidClientError(facts);
      return infoOf(clientId, facts);
    },
    registerClient: (metadata) => {
      const facts = clientFacts(metadata);
      if (facts === undefined) {
        throw new CustomOAuthError(
          'invalid_redirect_uri',
          'redirect_uris must be 1 to 10 addresses: https, http on localhost, or the scheme of a program.',
        );
      }
      // Two registrations with the same facts differ.
      const value: Encoded = {
        n: facts.name,
        u: facts.redirectUris,
        r: randomBytes(6).toString('hex'),
      };
      const clientId = `${PREFIX}${encryption.encrypt('client', value, REGISTERED_MS)}`;
      const issuedAt = Math.floor(clock.wallMs() / 1000);
      return { ...infoOf(clientId, facts), client_id_issued_at: issuedAt };
    },
  };
}

function infoOf(clientId: string, { name, redirectUris }: ClientFacts): OAuthClientInformationFull {
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
