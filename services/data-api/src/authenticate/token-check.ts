import { type KeyCheck, type KeyDigest, readLegacyToken } from '@vcds/credentials';
import { unauthorizedToken } from '@vcds/service-kit';
import { createKeyCache, type KeyCacheOptions } from './key-cache.ts';
import type { KeyCheckClient } from './key-check-client.ts';
import { createPublishedKeys } from './published-keys.ts';

/** Says what a token of the older exchange opens (docs/spec/legacy-tokens.md 15.5). */
export interface TokenCheck {
  /**
   * What the key behind the token opens. The token's own signature, issuer, audience and life are
   * checked here; that it is on record, and its key, as any key is: remembered for 5 s at most.
   *
   * @throws ApiError `unauthorized` for a token that is foreign or over; anything else means that
   *   access-api cannot say.
   */
  check(token: string): Promise<KeyCheck>;
  /** To be called whenever a key changes: whichever it is, tokens of it may be among these. */
  forgetAll(): void;
  /** To be called when changes may have been missed: every token's key is asked about again. */
  distrustAll(): void;
}

export interface TokenCheckOptions extends Omit<KeyCacheOptions<TokenName>, 'lookUp'> {
  readonly client: Pick<KeyCheckClient, 'check' | 'keySet'>;
}

/** A key's digest and the id of a token made from it. */
type TokenName = `${KeyDigest} ${string}`;

export function createTokenCheck({ client, ...shared }: TokenCheckOptions): TokenCheck {
  const { clock } = shared;
  const published = createPublishedKeys({ fetch: client.keySet, clock });
  const cache = createKeyCache<TokenName>({
    ...shared,
    lookUp: (name) => {
      const [digest, tokenId] = name.split(' ') as [KeyDigest, string];
      return client.check({ digest, tokenId });
    },
  });
  return {
    check: async (text) => {
      const reading = await readLegacyToken(text, published.find, clock);
      if (reading.status === 'foreign') throw unauthorizedToken('unknown');
      if (reading.status === 'expired') throw unauthorizedToken('expired');
      const { digest, tokenId } = reading.token;
      return cache.check(`${digest} ${tokenId}`);
    },
    forgetAll: cache.forgetAll,
    distrustAll: cache.distrustAll,
  };
}
