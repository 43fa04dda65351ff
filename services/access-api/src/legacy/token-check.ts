import { readLegacyToken } from '@vcds/credentials';
import { type Clock, unauthorizedToken } from '@vcds/service-kit';
import type { TokenCheck } from '../keys/identify-caller.ts';
import type { KeyChecker } from '../store/key-check.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { TokenStore } from './token-store.ts';

export interface TokenCheckOptions {
  readonly keys: Pick<SigningKeys, 'byId'>;
  readonly tokens: TokenStore;
  readonly checker: KeyChecker;
  readonly clock: Clock;
}

export function createTokenCheck({ keys, tokens, checker, clock }: TokenCheckOptions): TokenCheck {
  return {
    check: async (text) => {
      const reading = await readLegacyToken(text, (kid) => keys.byId.get(kid), clock);
      if (reading.status === 'foreign') throw unauthorizedToken('unknown');
      const { tokenId, digest } = reading.token;
      if (reading.status === 'expired') {
        await tokens.remove(tokenId);
        throw unauthorizedToken('expired');
      }
      if (!(await tokens.has(tokenId, digest))) throw unauthorizedToken('unknown');
      return checker.check(digest);
    },
  };
}
