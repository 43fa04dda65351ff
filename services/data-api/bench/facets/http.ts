import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Ask } from './measure.ts';

/** The data API in a process of its own. */
export interface FacetServer {
  readonly ask: Ask;
  close(): Promise<void>;
}

/** Starts it with one engine; resolves once that has loaded. */
export async function startServer(engine: 'sql' | 'columnar', url: string): Promise<FacetServer> {
  const script = fileURLToPath(new URL('server.js', import.meta.url));
  const child = fork(script, [engine], { env: { ...process.env, DATABASE_URL: url } });
  const [port] = await Promise.race([once(child, 'message'), failure(child)]);
  const agent = new Agent({ keepAlive: true });
  return {
    ask: ({ path }) => getText(`http://127.0.0.1:${port}/v2${path}`, agent),
    close: async () => {
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

function getText(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answers ${response.statusCode}: ${text}`));
      });
    });
    request.on('error', reject);
  });
}
