import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Removes a cleanup task that is no longer needed. */
export type Unregister = () => void;

/**
 * A separate process that runs the registered cleanup tasks, newest first, when this process exits,
 * even by SIGKILL. See `bin/guardian.mjs`.
 */
export type Guardian = ReturnType<typeof openGuardian>;

type Task =
  | { kind: 'stop'; pid: number; signal: NodeJS.Signals; graceMs: number }
  | { kind: 'remove'; path: string }
  | { kind: 'run'; command: string; args: readonly string[]; env: NodeJS.ProcessEnv };

/** Starts a guardian for this process. */
export function openGuardian() {
  const script = fileURLToPath(new URL('../../bin/guardian.mjs', import.meta.url));
  // Its own session, so that signals to this process group do not reach it.
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.unref();
  // If the guardian is killed, this process must continue.
  child.stdin.on('error', () => undefined);
  let lastId = 0;
  const add = (task: Task): Unregister => {
    lastId += 1;
    const id = lastId;
    child.stdin.write(`${JSON.stringify({ id, task })}\n`);
    return () => child.stdin.write(`${JSON.stringify({ id, task: null })}\n`);
  };
  return {
    /** Stop `pid` with `signal`, and with SIGKILL if it still runs after `graceMs`. */
    stop: (pid: number, signal: NodeJS.Signals, graceMs: number): Unregister =>
      add({ kind: 'stop', pid, signal, graceMs }),
    /** Remove a folder with its content. */
    remove: (path: string): Unregister => add({ kind: 'remove', path }),
    /** Run a command to its end, with `env` added to the environment. */
    run: (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Unregister =>
      add({ kind: 'run', command, args, env }),
    /** Runs the registered tasks and waits for their end. */
    close: async (): Promise<void> => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
