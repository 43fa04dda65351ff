import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';
import { CODE_DIGITS } from '../keys/endpoints.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The purpose of a digest. Each has a key of its own. */
type DigestPurpose = 'code' | 'link' | 'address' | 'mailbox' | 'network' | 'userName';

/**
 * Protects stored registrations: data that could be guessed or read is stored as a keyed digest or
 * encrypted, so that the store without CODE_SECRET reveals neither addresses nor codes.
 */
export type RegistrationSecrets = ReturnType<typeof createRegistrationSecrets>;

/** Derives all keys from CODE_SECRET, which access-api and the worker share. */
export function createRegistrationSecrets(codeSecret: string) {
  const keys: Readonly<Record<DigestPurpose | 'encrypt', Buffer>> = {
    code: derive(codeSecret, 'code'),
    link: derive(codeSecret, 'link'),
    address: derive(codeSecret, 'address'),
    mailbox: derive(codeSecret, 'mailbox'),
    network: derive(codeSecret, 'network'),
    userName: derive(codeSecret, 'user name'),
    encrypt: derive(codeSecret, 'encrypt'),
  };
  return {
    /** HMAC-SHA-256 of the parts in hex, under the key of the purpose. */
    digest: (purpose: DigestPurpose, ...parts: readonly string[]): string => {
      const hmac = createHmac('sha256', keys[purpose]);
      // No address, id or code can contain the separator.
      return hmac.update(parts.join('\0')).digest('hex');
    },
    /** AES-256-GCM in Base64, bound to `context`: in another context, decryption fails. */
    encrypt: (text: string, context: string): string => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys.encrypt, iv).setAAD(Buffer.from(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    /** @throws Error if the text was not encrypted with this secret in this context. */
    decrypt: (encrypted: string, context: string): string => {
      const bytes = Buffer.from(encrypted, 'base64');
      const [iv, tag] = [
        bytes.subarray(0, IV_BYTES),
        bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
      ];
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', keys.encrypt, iv, options);
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/** A code of CODE_DIGITS digits, uniformly random. */
export function randomCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `vcds registration ${purpose}`, 32));
}
