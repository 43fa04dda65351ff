import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KeySet, type PublishedKey, publishedKey } from '@vcds/credentials';
import { type Config, ConfigError, type Variables } from '@vcds/service-kit';
import { errorCode } from '@vcds/service-kit/error-code';

const LOCAL_KEY_FILE = 'legacy-signing-key.pem';
const LOCAL_KEY_BITS = 2_048;
const OWNER_ONLY = 0o600;

/** The keys that sign tokens of the older exchange. Without one the exchange is disabled. */
export const LEGACY_VARIABLES = {
  LEGACY_SIGNING_KEY: {
    type: 'string',
    description: 'private RSA keys in PEM for tokens of the older exchange, the newest first',
  },
  LEGACY_SIGNING_KEY_FILE: { type: 'string', description: 'a file that contains these keys' },
  LOCAL_DIR: { type: 'string', description: 'folder of the state of the local stack' },
} as const satisfies Variables;

type LegacyConfig = Partial<Config<typeof LEGACY_VARIABLES>>;

/**
 * The configured signing keys, else the key in LOCAL_DIR, which is created at the first start.
 * Undefined without either.
 *
 * @throws ConfigError with the variable, if the keys cannot be read or used.
 */
export async function openSigningKeys(config: LegacyConfig): Promise<SigningKeys | undefined> {
  const given = configuredKeys(config);
  if (given !== undefined || config.LOCAL_DIR === undefined) return given;
  return localKeys(config.LOCAL_DIR);
}

/**
 * The keys of LEGACY_SIGNING_KEY or LEGACY_SIGNING_KEY_FILE; undefined if neither is set.
 *
 * @throws ConfigError as `openSigningKeys`.
 */
export function configuredKeys(config: LegacyConfig): SigningKeys | undefined {
  const { LEGACY_SIGNING_KEY: pem, LEGACY_SIGNING_KEY_FILE: file } = config;
  if (pem !== undefined && file !== undefined) {
    throw new ConfigError(['LEGACY_SIGNING_KEY and LEGACY_SIGNING_KEY_FILE are both set.']);
  }
  if (pem !== undefined) return keysIn('LEGACY_SIGNING_KEY', pem);
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(['LEGACY_SIGNING_KEY_FILE names a file that cannot be read.']);
  }
  return keysIn('LEGACY_SIGNING_KEY_FILE', text);
}

// A file that only its owner may read.
async function localKeys(localDir: string): Promise<SigningKeys> {
  const path = join(localDir, LOCAL_KEY_FILE);
  return keysIn(`LOCAL_DIR: ${LOCAL_KEY_FILE}`, (await read(path)) ?? (await create(path)));
}

function keysIn(name: string, pem: string): SigningKeys {
  try {
    return parseSigningKeys(pem);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError([`${name} ${error.message}.`]);
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

// link is atomic and fails if another process was faster: all processes of a folder sign with one
// key, and none reads half of it.
async function create(path: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: LOCAL_KEY_BITS });
  const draft = `${path}.${randomUUID()}`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFile(draft, pem, { mode: OWNER_ONLY });
  try {
    await link(draft, path);
    return pem;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

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
 * are only published, so that their tokens stay valid. To replace a key, follow the
 * steps of docs/security.md.
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
    if (byId.has(entry.kid)) throw new TypeError('must contain each key only once');
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
