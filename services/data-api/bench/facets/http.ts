import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { httpGet } from '../http-get.ts';
import type { BenchRequest } from './requests.ts';

/** Starts the data API in a process of its own with one engine; resolves once that has loaded. */
export async function startServer(engine: 'sql' | 'columnar', url: string) {
  const script = fileURLToPath(new URL('server.js', import.meta.url));
  const child = fork(script, [engine], { env: { ...process.env, DATABASE_URL: url } });
  const [root] = await Promise.race([once(child, 'message'), failure(child)]);
  const agent = new Agent({ keepAlive: true });
  return {
    pid: child.pid ?? 0,
    ask: async ({ path }: BenchRequest): Promise<string> => {
      const { status, text } = await httpGet(`${root}${path}`, { agent });
      if (status !== 200) throw new Error(`${path} answers ${status}: ${text}`);
      return text;
    },
    close: async (): Promise<void> => {
      agent.destroy();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`The server ended with code ${code}.`);
}
