import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** A command failed; `output` is everything that it wrote. */
export class CommandFailed extends Error {
  constructor(command, status, output) {
    super(`${command} failed: ${status}`);
    this.output = output;
  }
}

/** A signal arrived while a command ran; the command has been stopped. */
export class Interrupted extends Error {}

const DETAIL_LENGTH_MAX = 60;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command to its end and returns its output. With a step, the step shows its last line. The
 * command runs in its own process group, so that a signal ends it with all processes it started.
 * @throws CommandFailed, Interrupted
 */
export function run(command, args, { cwd = root, env = process.env, step } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, env, stdio, detached: true });
    let output = '';
    let isInterrupted = false;
    const onText = (text) => {
      output += text;
      const line = text.trim().split('\n').at(-1).trim();
      if (line !== '') step?.update(shortened(line.replace(/^\W+/, '')));
    };
    const interrupt = () => {
      isInterrupted = true;
      killGroup(child);
    };
    for (const signal of SIGNALS) process.on(signal, interrupt);
    const finish = (settle, value) => {
      for (const signal of SIGNALS) process.off(signal, interrupt);
      settle(value);
    };
    child.stdout.setEncoding('utf8').on('data', onText);
    child.stderr.setEncoding('utf8').on('data', onText);
    child.on('error', (error) => finish(reject, new CommandFailed(command, error.message, output)));
    child.on('close', (code, signal) => {
      if (isInterrupted) finish(reject, new Interrupted());
      else if (code === 0) finish(resolve, output);
      else finish(reject, new CommandFailed(command, signal ?? `exit code ${code}`, output));
    });
  });
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has exited.
  }
}

function shortened(line) {
  return line.length <= DETAIL_LENGTH_MAX
    ? line
    : `${line.slice(0, DETAIL_LENGTH_MAX - 1).trimEnd()}…`;
}
