import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ApiKey, digestOf, parseApiKey } from '@vcds/credentials';
import { errorCode } from '@vcds/service-kit/error-code';
import type { Administration } from './open.ts';

/** The demonstration account: the same id on every machine, so that it is created only once. */
export const DEMO_ACCOUNT_ID = '7f2d9c1e-4b60-5d3a-9a51-0c8e6b1f4d2a';
const DEMO_KEY_FILE = 'demo-key';
const OWNER_ONLY = 0o600;
const NOT_WRITABLE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/**
 * The key of the demonstration account, on the top plan. A file of `localDir` that only its
 * owner may read stores it, if the folder can be written, so that the next start returns the same key.
 * Issues a new one if there is none, or if it is no longer valid.
 */
export async function demoKey(administration: Administration, localDir: string): Promise<ApiKey> {
  const { accounts, history } = administration;
  const account = await history.findAccount({ id: DEMO_ACCOUNT_ID });
  if (account === null) {
    await accounts.create({ id: DEMO_ACCOUNT_ID, name: 'Demonstration', plan: 'scale' });
  } else if (account.plan !== 'scale') {
    await accounts.setPlan(DEMO_ACCOUNT_ID, 'scale');
  }
  const path = join(localDir, DEMO_KEY_FILE);
  const stored = await storedKey(path);
  if (stored !== undefined && (await isValid(administration, stored))) return stored;
  const { apiKey } = await accounts.issueKey({
    accountId: DEMO_ACCOUNT_ID,
    origin: 'demonstration',
    label: 'Demonstration',
  });
  try {
    await store(path, apiKey);
  } catch (error) {
    // A pod has a read-only file system: the key is only shown, and each call issues another.
    if (!NOT_WRITABLE.has(String(errorCode(error)))) throw error;
  }
  return apiKey;
}

async function storedKey(path: string): Promise<ApiKey | undefined> {
  try {
    return parseApiKey((await readFile(path, 'utf8')).trim());
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isValid({ history }: Administration, apiKey: ApiKey): Promise<boolean> {
  const key = await history.findKey({ digest: digestOf(apiKey) });
  if (key === null || key.accountId !== DEMO_ACCOUNT_ID) return false;
  return key.revokedAt === null && key.expiresAt === null;
}

// rename is atomic, so that a reader never gets half a key.
async function store(path: string, apiKey: ApiKey): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${apiKey}\n`, { mode: OWNER_ONLY });
  await chmod(draft, OWNER_ONLY);
  await rename(draft, path);
}
