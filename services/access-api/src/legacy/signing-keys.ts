import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type KeySet, type PublishedKey, publishedKey } from '@vcds/credentials';

const PEM_BLOCK = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;

/** The keys that sign and verify tokens of the older exchange. */
export interface SigningKeys {
  readonly signing: KeyObject;
  /** All keys, the signing key first. */
  readonly published: readonly PublishedKey[];
  readonly byId: KeySet;
}

/**
 * Reads signing keys in PEM: the first signs and must be private; the others, private or public,
 * are only published, so that their tokens stay valid. To replace a key, put the new one in front
 * and remove the old one an hour later.
 *
 * @throws TypeError with the reason, never with any of the text.
 */
export function parseSigningKeys(pem: string): SigningKeys {
  const blocks = pem.replaceAll('\\n', '\n').match(PEM_BLOCK) ?? [];
  const [signing, ...others] = blocks.map((block, i) => keyIn(block, i + 1));
  if (signing === undefined) throw new TypeError('contains no key in PEM');
  if (signing.type !== 'private') throw new TypeError('must begin with a private key');
  const byId = new Map<string, KeyObject>();
  const published = [signing, ...others].map((key) => {
    const entry = publishedKey(key);
    byId.set(entry.kid, key.type === 'private' ? createPublicKey(key) : key);
    return entry;
  });
  return { signing, published, byId };
}

function keyIn(block: string, number: number): KeyObject {
  let key: KeyObject;
  try {
    key = block.includes('PRIVATE KEY') ? createPrivateKey(block) : createPublicKey(block);
    publishedKey(key);
  } catch {
    throw new TypeError(`must contain RSA keys of at least 2,048 bits; key ${number} is not`);
  }
  return key;
}
