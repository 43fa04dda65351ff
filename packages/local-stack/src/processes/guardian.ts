import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Takes one duty back; the thing it named has been dealt with. */
export type Unregister = () => void;

/**
 * A small process of its own that stops and removes what was registered with it when this
 * process ends in whatever way, newest first. See `bin/guardian.mjs`.
 */
export interface Guardian {
  /** Stop `pid` with `signal`, and with SIGKILL when it lives on after `graceMs`. */
  stop(pid: number, signal: NodeJS.Signals, graceMs: number): Unregister;
  /** Remove a folder with all that is in it. */
  remove(path: string): Unregister;
  /** Run a command to its end, with `env` added to the environment. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Unregister;
  /** Carries out what is still registered and waits for the end of it. */
  close(): Promise<void>;
}

type Duty =
  | { kind: 'stop'; pid: number; signal: NodeJS.Signals; graceMs: number }
  | { kind: 'remove'; path: string }
  | { kind: 'run'; command: string; args: readonly string[]; env: NodeJS.ProcessEnv };

/** Starts a guardian for this process. */
export function openGuardian(): Guardian {
  const script = fileURLToPath(new URL('../../bin/guardian.mjs', import.meta.url));
  // A session of its own, so that signals to this process group do not reach it.
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
  // A guardian killed by hand must not take down what it guards.
  child.stdin.on('error', () => undefined);
  let lastId = 0;
  const add = (duty: Duty): Unregister => {
    lastId += 1;
    const id = lastId;
    child.stdin.write(`${JSON.stringify({ id, duty })}\n`);
    return () => child.stdin.write(`${JSON.stringify({ id, duty: null })}\n`);
  };
  return {
    stop: (pid, signal, graceMs) => add({ kind: 'stop', pid, signal, graceMs }),
    remove: (path) => add({ kind: 'remove', path }),
    run: (command, args, env = {}) => add({ kind: 'run', command, args, env }),
    close: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
