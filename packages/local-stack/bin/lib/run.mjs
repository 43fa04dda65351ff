import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** A command that failed; `output` is all it wrote. */
export class CommandFailed extends Error {
  constructor(command, status, output) {
    super(`${command} ended with ${status}`);
    this.output = output;
  }
}

/**
 * Runs a command to its end and returns what it wrote. With a step, its last line shows there.
 * @throws CommandFailed
 */
export function run(command, args, { cwd = root, env = process.env, step } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const onText = (text) => {
      output += text;
      const line = text.trim().split('\n').at(-1).trim();
      if (line !== '') step?.update(line.replace(/^\W+/, '').slice(0, 60));
    };
    child.stdout.setEncoding('utf8').on('data', onText);
    child.stderr.setEncoding('utf8').on('data', onText);
    child.on('error', (error) => reject(new CommandFailed(command, error.message, output)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new CommandFailed(command, signal ?? `exit code ${code}`, output));
    });
  });
}
