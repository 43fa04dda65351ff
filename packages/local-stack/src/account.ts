import { execFileSync } from 'node:child_process';
import type { Account } from './processes/managed-process.ts';

/** The system user that runs PostgreSQL for root: every system has it, and it owns no files. */
const UNPRIVILEGED_USER = 'nobody';

const NOT_AS_ROOT =
  `PostgreSQL does not run as root, and this machine has no user "${UNPRIVILEGED_USER}" for it. ` +
  'Start as an ordinary user, or set DATABASE_URL to your own PostgreSQL.';

/** Whether this process runs as root; PostgreSQL does not start as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The system user for PostgreSQL: undefined means the user of this process.
 * @throws Error for root on macOS, and on a machine without {@link UNPRIVILEGED_USER}.
 */
export function postgresAccount(): Account | undefined {
  if (!isRoot()) return undefined;
  // Its id is -2 on macOS, which Node does not accept.
  if (process.platform === 'darwin') throw new Error(NOT_AS_ROOT);
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch (cause) {
    throw new Error(NOT_AS_ROOT, { cause });
  }
}

function idOf(option: '-u' | '-g'): number {
  const output = execFileSync('id', [option, UNPRIVILEGED_USER], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number.parseInt(output, 10);
}
