import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

/** The secrets of a local folder; with them, a process can use the local stack. */
export interface Secrets {
  readonly postgresPassword: string;
  /** The passwords of the embedded database's other roles are derived from it. */
  readonly databaseRolesSecret: string;
  readonly redisPassword: string;
  /** Signs the calls between the services. */
  readonly serviceTokenSecret: string;
  /** Hashes and encrypts the codes, links and addresses of registrations. */
  readonly codeSecret: string;
  /** Authenticates the cursors of the change feed. */
  readonly cursorSecret: string;
}

/** Its name in a local folder; it marks the folder of a stack. */
export const SECRETS_FILE = 'secrets.json';

/**
 * Reads the secrets of a local folder, or creates them; only the owner can read the file. `isNew`:
 * they were created now, so data that earlier secrets protected is lost.
 */
export async function openSecrets(local: string) {
  const file = join(local, SECRETS_FILE);
  const stored = await readJsonFile<Partial<Secrets>>(file);
  const fresh: Secrets = {
    postgresPassword: randomBytes(24).toString('hex'),
    databaseRolesSecret: randomBytes(32).toString('hex'),
    redisPassword: randomBytes(24).toString('hex'),
    serviceTokenSecret: randomBytes(32).toString('hex'),
    codeSecret: randomBytes(32).toString('hex'),
    cursorSecret: randomBytes(32).toString('hex'),
  };
  // A file of an earlier version may not have all of them.
  const secrets: Secrets = { ...fresh, ...stored };
  const isComplete = stored !== undefined && Object.keys(fresh).every((name) => name in stored);
  if (!isComplete) await writeJsonFile(file, secrets);
  return { secrets, isNew: stored === undefined };
}
