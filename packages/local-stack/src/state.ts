import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRoot } from './account.ts';

/** The repository root; `src` and `dist` are at the same depth. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(
  /(?<=.)\/$/,
  '',
);

/** The folder of root's PostgreSQL: its system user cannot read root's own folders. */
export const ROOT_HOME = '/var/lib/vcds';

/** The folders of a local stack. */
export interface StateFolders {
  /** `LOCAL_DIR`: all state; for root, without the database. */
  readonly local: string;
  /** Parent of PostgreSQL's data folder. */
  readonly postgres: string;
  readonly redis: string;
  readonly logs: string;
  readonly mail: string;
  /** Downloaded programs, in node_modules: the same for every `LOCAL_DIR`. */
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
    postgres: isRoot() ? join(ROOT_HOME, cloneKey(local)) : join(local, 'postgres'),
    redis: join(local, 'redis'),
    logs: join(local, 'logs'),
    mail: resolve(repositoryRoot, environment.MAIL_DIR || join(local, 'mail')),
    tools: join(repositoryRoot, 'node_modules/.cache/vcds'),
  };
}

/**
 * A unique name of a local folder on this machine, so that two clones do not share a database: the
 * name of the clone, for readability, and a digest of the whole path.
 */
function cloneKey(local: string): string {
  mkdirSync(local, { recursive: true });
  const path = realpathSync(local);
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 12);
  return `${basename(dirname(path)) || 'root'}-${digest}`;
}
