import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRoot } from './account.ts';

/** The repository root, which is the same seen from `src` and from `dist`. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(
  /(?<=.)\/$/,
  '',
);

/** Where a root user's PostgreSQL lives: within reach of the account it runs under. */
export const rootHome = '/var/lib/vcds';

/** Where the embedded default keeps its things. */
export interface StateFolders {
  /** `LOCAL_DIR`: everything but, for root, the database. */
  readonly local: string;
  /** Parent of PostgreSQL's data folder. */
  readonly postgres: string;
  readonly redis: string;
  readonly logs: string;
  readonly mail: string;
  /** Downloaded programs, beside the installed packages: the same for every `LOCAL_DIR`. */
  readonly tools: string;
}

/**
 * The folders under `LOCAL_DIR` (default `.local` in the repository); an empty variable counts as
 * not set.
 */
export function stateFolders(environment: NodeJS.ProcessEnv): StateFolders {
  const local = resolve(repositoryRoot, environment.LOCAL_DIR || '.local');
  return {
    local,
    postgres: isRoot() ? join(rootHome, cloneKey(local)) : join(local, 'postgres'),
    redis: join(local, 'redis'),
    logs: join(local, 'logs'),
    mail: resolve(repositoryRoot, environment.MAIL_DIR || join(local, 'mail')),
    tools: join(repositoryRoot, 'node_modules/.cache/vcds'),
  };
}

/**
 * A name for one local folder on this machine, so that two clones do not share a database:
 * the clone's own name, for people, and a digest of the whole path.
 */
function cloneKey(local: string): string {
  mkdirSync(local, { recursive: true });
  const path = realpathSync(local);
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 12);
  return `${basename(dirname(path)) || 'root'}-${digest}`;
}
