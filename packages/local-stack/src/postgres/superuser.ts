import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { postgresAccount } from '../account.ts';
import { postgresBinaries } from './binaries.ts';
import { serverEnvironment } from './server.ts';

/**
 * Sets the password of the superuser of a data folder that no server uses, and lets PostgreSQL
 * recover the folder, if it is a copy of a running one.
 * @throws Error with the server's output.
 */
export async function setSuperuserPassword(data: string, password: string): Promise<void> {
  const account = postgresAccount();
  const { postgres } = await postgresBinaries({ shared: account !== undefined });
  const args = ['--single', '-c', 'exit_on_error=on', '-D', data, 'postgres'];
  const child = spawn(postgres, args, {
    cwd: data,
    env: serverEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    ...account,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(`ALTER ROLE postgres PASSWORD ${pg.escapeLiteral(password)};\n`);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new Error(`PostgreSQL cannot open the copied files:\n${output}`);
}
