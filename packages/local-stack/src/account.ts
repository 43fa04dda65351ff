import { execFileSync } from 'node:child_process';
import type { Account } from './processes/managed-process.ts';

/** The account a root user's PostgreSQL runs under: present on every system, owner of nothing. */
const unprivilegedUser = 'nobody';

/** Whether this process runs as root, as which PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Whom PostgreSQL is to run as: undefined means the user of this process.
 * @throws Error for root on a machine that has no account "nobody".
 */
export function postgresAccount(): Account | undefined {
  if (!isRoot()) return undefined;
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch (cause) {
    const message =
      `PostgreSQL refuses to run as root and this machine has no user "${unprivilegedUser}" ` +
      'to run it as. Start as an ordinary user, or set DATABASE_URL.';
    throw new Error(message, { cause });
  }
}

function idOf(option: '-u' | '-g'): number {
  const output = execFileSync('id', [option, unprivilegedUser], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number.parseInt(output, 10);
}
