import { execFileSync } from 'node:child_process';
import type { Account } from './processes/managed-process.ts';

/** The account a root user's PostgreSQL runs under: present on every system, owner of nothing. */
const unprivilegedUser = 'nobody';

const NOT_AS_ROOT =
  `PostgreSQL does not run as root, and this machine has no account "${unprivilegedUser}" to run ` +
  'it as: start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.';

/** Whether this process runs as root, as which PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Whom PostgreSQL is to run as: undefined means the user of this process.
 * @throws Error for root on macOS, and on a machine that has no account "nobody".
 */
export function postgresAccount(): Account | undefined {
  if (!isRoot()) return undefined;
  // There "nobody" is -2, which Node takes for no user id.
  if (process.platform === 'darwin') throw new Error(NOT_AS_ROOT);
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch (cause) {
    throw new Error(NOT_AS_ROOT, { cause });
  }
}

function idOf(option: '-u' | '-g'): number {
  const output = execFileSync('id', [option, unprivilegedUser], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number.parseInt(output, 10);
}
