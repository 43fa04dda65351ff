/** Texts that only this service can make and read, so that their content need not be stored. */
import type { Clock } from '@vcds/service-kit';
import type { RegistrationSecrets } from '../registration/secrets.ts';

const LENGTH_MAX = 8_000;

/**
 * Encrypts values with an end for one purpose. `decrypt` returns undefined for a text that was not made
 * here, is over, or has another purpose.
 */
export function createEncryption({
  secrets,
  clock,
}: {
  secrets: RegistrationSecrets;
  clock: Clock;
}) {
  return {
    encrypt: (purpose: string, value: object, lifetimeMs: number): string => {
      const text = JSON.stringify({ value, until: clock.wallMs() + lifetimeMs });
      return Buffer.from(secrets.encrypt(text, `oauth ${purpose}`), 'base64').toString('base64url');
    },
    decrypt: <Value extends object>(purpose: string, encrypted: string): Value | undefined => {
      if (encrypted.length > LENGTH_MAX || !/^[\w-]+$/.test(encrypted)) return undefined;
      try {
        const bytes = Buffer.from(encrypted, 'base64url').toString('base64');
        const { value, until } = JSON.parse(secrets.decrypt(bytes, `oauth ${purpose}`));
        return until > clock.wallMs() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

export type Encryption = ReturnType<typeof createEncryption>;
