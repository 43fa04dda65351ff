import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { commandLine } from './inspect.ts';

/** The state of a listening socket in `/proc/net/tcp`. */
const LISTENING = '0A';
const COMMAND_LENGTH_MAX = 80;

/**
 * The process that listens on a TCP port, as "process 123 (node server.js)"; undefined if unknown, as
 * for a process of another user.
 */
export async function portHolder(port: number): Promise<string | undefined> {
  const pid = process.platform === 'linux' ? await fromProc(port) : await fromLsof(port);
  if (pid === undefined) return undefined;
  const command = (await commandLine(pid)).slice(0, COMMAND_LENGTH_MAX);
  return `process ${pid}${command === '' ? '' : ` (${command})`}`;
}

async function fromProc(port: number): Promise<number | undefined> {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1);
    for (const line of lines) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const localPort = Number.parseInt(local.split(':')[1] ?? '', 16);
      if (state === LISTENING && localPort === port) inodes.add(`socket:[${inode}]`);
    }
  }
  if (inodes.size === 0) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      if (inodes.has(target)) return Number(pid);
    }
  }
  return undefined;
}

async function fromLsof(port: number): Promise<number | undefined> {
  try {
    const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'];
    const { stdout } = await promisify(execFile)('lsof', args);
    return Number.parseInt(stdout, 10) || undefined;
  } catch {
    return undefined;
  }
}
