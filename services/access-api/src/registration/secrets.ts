import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CODE_DIGITS = 6;

/** What a digest is of: each purpose has a key of its own. */
export type DigestPurpose = 'code' | 'link' | 'address' | 'mailbox' | 'network' | 'userName';

/**
 * What protects a registration at rest (docs/spec/registration.md 3.10): everything in it that
 * could be guessed or read is kept as a keyed digest or sealed. Whoever has the store but not the
 * secret has neither addresses nor codes.
 */
export interface RegistrationSecrets {
  /** HMAC-SHA-256 in hex under the key of the purpose, over the parts in turn. */
  digest(purpose: DigestPurpose, ...parts: readonly string[]): string;
  /** AES-256-GCM, bound to `context`: sealed text moved elsewhere does not open. Base64. */
  seal(text: string, context: string): string;
  /** @throws Error when the text was not sealed under this secret for this context. */
  open(sealed: string, context: string): string;
}

/** Derives every key from CODE_SECRET. The process that seals and the one that opens share it. */
export function createRegistrationSecrets(codeSecret: string): RegistrationSecrets {
  const keys: Readonly<Record<DigestPurpose | 'seal', Buffer>> = {
    code: derive(codeSecret, 'code'),
    link: derive(codeSecret, 'link'),
    address: derive(codeSecret, 'address'),
    mailbox: derive(codeSecret, 'mailbox'),
    network: derive(codeSecret, 'network'),
    userName: derive(codeSecret, 'user name'),
    seal: derive(codeSecret, 'seal'),
  };
  return {
    digest: (purpose, ...parts) => {
      const hmac = createHmac('sha256', keys[purpose]);
      // No part can contain the separator: it is not a character of any address, id or code.
      return hmac.update(parts.join('\0')).digest('hex');
    },
    seal: (text, context) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys.seal, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64');
      const [iv, tag] = [
        bytes.subarray(0, IV_BYTES),
        bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
      ];
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', keys.seal, iv, options);
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/** Six digits, each of the million codes equally likely. */
export function randomCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `vcds registration ${purpose}`, 32));
}
