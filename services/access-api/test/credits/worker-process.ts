import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/worker-main.js', import.meta.url));
const running = new Set<ChildProcess>();

/** The worker as it is deployed: a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Resolves once it says that it listens; with the URL of its internal listener. */
  readonly listening: Promise<string>;
  /** Its output so far. */
  readonly output: () => string;
  /**
   * Ends it by a signal; resolves once all it wrote is in `output`, with its exit status, null when
   * the signal ended it.
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built worker with these variables and no others. */
export function spawnWorker(environment: NodeJS.ProcessEnv): WorkerProcess {
  const env = { PATH: process.env.PATH, WORKER_INTERNAL_PORT: '0', ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const listening = new Promise<string>((resolve) => {
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      const port = /"internal":(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
  });
  return {
    child,
    listening,
    output: () => output,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, 'close');
      child.kill(signal);
      const [status] = await closed;
      return status;
    },
  };
}

/** Ends what a failed test has left running. */
export function killWorkers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Resolves once `/ready` answers 200. */
export async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/ready`)).status !== 200) await delay(20);
}
