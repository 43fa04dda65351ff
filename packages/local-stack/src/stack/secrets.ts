import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';

/** Made once for a local folder; whoever can read the file can use the local stack. */
export interface Secrets {
  readonly postgresPassword: string;
  /** Derives the passwords of the embedded database's other roles. */
  readonly databaseRolesSecret: string;
  readonly redisPassword: string;
  /** Signs the calls between the services. */
  readonly serviceTokenSecret: string;
  /** Protects codes, links and addresses of registrations. */
  readonly codeSecret: string;
  /** Authenticates the cursors of the change feed. */
  readonly cursorSecret: string;
}

export interface OpenedSecrets {
  readonly secrets: Secrets;
  /** True when they have just been made: what older ones protected is of no use any more. */
  readonly isNew: boolean;
}

/** Its name in a local folder: what has it is a stack's. */
export const secretsFile = 'secrets.json';

/** The secrets of a local folder, made at the first start, readable by its owner alone. */
export async function openSecrets(local: string): Promise<OpenedSecrets> {
  const file = join(local, secretsFile);
  const stored = await readStored(file);
  const fresh: Secrets = {
    postgresPassword: randomBytes(24).toString('hex'),
    databaseRolesSecret: randomBytes(32).toString('hex'),
    redisPassword: randomBytes(24).toString('hex'),
    serviceTokenSecret: randomBytes(32).toString('hex'),
    codeSecret: randomBytes(32).toString('hex'),
    cursorSecret: randomBytes(32).toString('hex'),
  };
  // An older version of this file may lack some.
  const secrets: Secrets = { ...fresh, ...stored };
  const isComplete = stored !== undefined && Object.keys(fresh).every((name) => name in stored);
  if (!isComplete) await write(file, secrets);
  return { secrets, isNew: stored === undefined };
}

async function write(file: string, secrets: Secrets): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function readStored(file: string): Promise<Partial<Secrets> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
