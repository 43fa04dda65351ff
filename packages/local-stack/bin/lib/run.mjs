import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** A command that failed; `output` is all it wrote. */
export class CommandFailed extends Error {
  constructor(command, status, output) {
    super(`${command} ended with ${status}`);
    this.output = output;
  }
}

/** Somebody asked to stop while a command ran; the command has been stopped. */
export class Interrupted extends Error {}

const detailLengthMax = 60;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command to its end and returns what it wrote. With a step, its last line shows there.
 * It runs in a process group of its own, so that a signal ends it with all it has started.
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
    for (const signal of signals) process.on(signal, interrupt);
    const finish = (settle, value) => {
      for (const signal of signals) process.off(signal, interrupt);
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
    // It has just ended.
  }
}

function shortened(line) {
  return line.length <= detailLengthMax ? line : `${line.slice(0, detailLengthMax - 1).trimEnd()}…`;
}
