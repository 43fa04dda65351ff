/** Client id metadata documents: a client whose id is the address of its description. */

import type { Clock } from '@vcds/service-kit';
import {
  createOutboundClient,
  type OutboundClient,
  OutboundError,
} from '@vcds/site-facts/outbound-http';
import { parseUrl } from '@vcds/venture-model';
import { LRUCache } from 'lru-cache';
import { type ClientFacts, clientFacts } from './client-facts.ts';

const ID_LENGTH_MAX = 512;
const BYTES_MAX = 10 * 1024;
const TIMEOUT_MS = 5_000;
const KEPT_MS = 10 * 60_000;
const FAILED_KEPT_MS = 60_000;
const KEPT_MAX = 200;
const RUNNING_MAX = 4;
const NOT_VALID = 'The document of the client_id is not valid metadata of a public client.';
const TOO_MANY = 'Too many documents of clients are read at the moment. Retry later.';

/** The client of an address, or why it has none. */
export type ClientDocuments = (
  clientId: string,
  mayFetch: () => Promise<boolean>,
) => Promise<ClientFacts | string>;

/** Whether a client id is the address of a document: https, with a path, and nothing else. */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > ID_LENGTH_MAX || !clientId.startsWith('https://')) return false;
  const url = parseUrl(clientId);
  if (url === null) return false;
  const { href, username, password, hash, pathname } = url;
  return href === clientId && username === '' && password === '' && hash === '' && pathname !== '/';
}

/**
 * Reads documents from public addresses only, without redirects, 10 KiB within 5 s each, 4 at a time.
 * 200 are kept for ten minutes, a failure for one.
 *
 * For `mayFetch` false nothing is kept.
 */
export function createClientDocuments(
  clock: Clock,
  client: OutboundClient = createOutboundClient({ userAgent: 'vcds-access-api' }),
): ClientDocuments {
  const kept = new LRUCache<string, { facts: ClientFacts | string; untilMs: number }>({
    max: KEPT_MAX,
  });
  let running = 0;
  const read = async (clientId: string): Promise<ClientFacts | string> => {
    try {
      const page = await client.fetchPage(clientId, {
        accept: 'application/json',
        bytesMax: BYTES_MAX,
        timeoutMs: TIMEOUT_MS,
        beforeRequest: async ({ href }) => {
          if (href !== clientId)
            throw new OutboundError('unreachable', 'Documents do not redirect.');
        },
      });
      if (page.status !== 200) return `The document of the client_id answers ${page.status}.`;
      const document: unknown = JSON.parse(page.body.toString('utf8'));
      return clientFacts(document, clientId) ?? NOT_VALID;
    } catch (error) {
      if (error instanceof SyntaxError) return NOT_VALID;
      if (error instanceof OutboundError) {
        return `The document of the client_id cannot be read: ${error.message}`;
      }
      throw error;
    }
  };
  return async (clientId, mayFetch) => {
    const known = kept.get(clientId);
    if (known !== undefined && known.untilMs > clock.monotonicMs()) return known.facts;
    if (running >= RUNNING_MAX || !(await mayFetch())) return TOO_MANY;
    running += 1;
    try {
      const facts = await read(clientId);
      const untilMs = clock.monotonicMs() + (typeof facts === 'string' ? FAILED_KEPT_MS : KEPT_MS);
      kept.set(clientId, { facts, untilMs });
      return facts;
    } finally {
      running -= 1;
    }
  };
}
