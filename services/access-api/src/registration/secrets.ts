import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';
import { parseSecrets } from '@vcds/credentials';
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

/**
 * Derives all keys from CODE_SECRET, which access-api and the worker share. The first secret writes;
 * data that any of them wrote can be found and read.
 *
 * @throws RangeError as `parseSecrets`.
 */
export function createRegistrationSecrets(codeSecret: string) {
  const [first, ...others] = parseSecrets(codeSecret);
  const current = keysOf(first);
  const all = [current, ...others.map(keysOf)];
  return {
    /** HMAC-SHA-256 of the parts in hex, under the current key of the purpose. */
    digest: (purpose: DigestPurpose, ...parts: readonly string[]): string =>
      digestUnder(current[purpose], parts),
    /** The digests under all secrets, the current one first. */
    digests: (purpose: DigestPurpose, ...parts: readonly string[]): readonly string[] =>
      all.map((keys) => digestUnder(keys[purpose], parts)),
    /** AES-256-GCM in Base64, bound to `context`: in another context, decryption fails. */
    encrypt: (text: string, context: string): string => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.encrypt, iv).setAAD(
        Buffer.from(context),
      );
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    /** @throws Error if the text was not encrypted with one of the secrets in this context. */
    decrypt: (encrypted: string, context: string): string => {
      const bytes = Buffer.from(encrypted, 'base64');
      for (const keys of all) {
        const text = decryptedWith(keys.encrypt, bytes, context);
        if (text !== undefined) return text;
      }
      throw new Error('The text was not encrypted with a known secret in this context.');
    },
  };
}

function keysOf(secret: string) {
  return {
    code: derive(secret, 'code'),
    link: derive(secret, 'link'),
    address: derive(secret, 'address'),
    mailbox: derive(secret, 'mailbox'),
    network: derive(secret, 'network'),
    userName: derive(secret, 'user name'),
    encrypt: derive(secret, 'encrypt'),
  } satisfies Readonly<Record<DigestPurpose | 'encrypt', Buffer>>;
}

function digestUnder(key: Buffer, parts: readonly string[]): string {
  // No address, id or code can contain the separator.
  return createHmac('sha256', key).update(parts.join('\0')).digest('hex');
}

// Undefined: another key, another context, or a changed text.
function decryptedWith(key: Buffer, bytes: Buffer, context: string): string | undefined {
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A code of CODE_DIGITS digits, uniformly random. */
export function randomCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `vcds registration ${purpose}`, 32));
}
