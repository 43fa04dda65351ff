import { type KeyCheck, type KeyDigest, readLegacyToken } from '@vcds/credentials';
import { unauthorizedToken } from '@vcds/service-kit';
import { createKeyCache, type KeyCacheOptions } from './key-cache.ts';
import type { KeyCheckClient } from './key-check-client.ts';
import { publishedKeys } from './published-keys.ts';

/** Checks legacy tokens (docs/spec/legacy-tokens.md 15.5). */
export type TokenCheck = ReturnType<typeof createTokenCheck>;

export interface TokenCheckOptions extends Omit<KeyCacheOptions<TokenName>, 'lookUp'> {
  readonly client: Pick<KeyCheckClient, 'check' | 'keySet'>;
}

/** A key's digest and the id of a token made from it. */
type TokenName = `${KeyDigest} ${string}`;

export function createTokenCheck({ client, ...shared }: TokenCheckOptions) {
  const { clock } = shared;
  const findKey = publishedKeys(client.keySet, clock);
  const cache = createKeyCache<TokenName>({
    ...shared,
    lookUp: (name) => {
      const [digest, tokenId] = name.split(' ') as [KeyDigest, string];
      return client.check({ digest, tokenId });
    },
  });
  return {
    /**
     * The check of the token's key. Signature, issuer, audience and expiry of the token are checked
     * locally; that it is on record, and its key, are checked like any key and cached for 5 s.
     *
     * @throws ApiError `unauthorized` for a token of another issuer or an expired one; any other
     *   error means that access-api did not respond.
     */
    check: async (text: string): Promise<KeyCheck> => {
      const reading = await readLegacyToken(text, findKey, clock);
      if (reading.status === 'foreign') throw unauthorizedToken('unknown');
      if (reading.status === 'expired') throw unauthorizedToken('expired');
      const { digest, tokenId } = reading.token;
      return cache.check(`${digest} ${tokenId}`);
    },
    /** Call it when any key has changed. */
    invalidateAll: cache.invalidateAll,
    /** Call it when changes may have been missed. */
    expireAll: cache.expireAll,
  };
}
