// Runs a built command on the stores of the stack that runs from this folder, or on DATABASE_URL:
// node with-stack.mjs [NODE OPTIONS…] SCRIPT [ARGUMENTS…]
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { onParentGone } from './lib/parent.mjs';
import { localFolder, root } from './lib/root.mjs';

const given = process.argv.slice(2);
const options = given.slice(
  0,
  given.findIndex((arg) => !arg.startsWith('--')),
);
const [script = '', ...args] = given.slice(options.length);
const command = resolve(root, script);
const environment = await commandEnvironment();

if (!existsSync(command)) {
  fail(`${script} is not built. Run npm start or npm run build first.`);
} else if (
  environment === undefined &&
  !args.some((arg) => ['--help', '-h', '--id'].includes(arg))
) {
  fail('No database. Run npm start in another terminal, or set DATABASE_URL.');
} else {
  const child = spawn(process.execPath, [...options, command, ...args], {
    // The IPC channel closes when this script exits, even by SIGKILL.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // npm runs scripts in the root; file arguments are relative to the user's folder.
    cwd: process.env.INIT_CWD || process.cwd(),
    env: environment ?? process.env,
  });
  // Ctrl-C in the terminal reaches the command too, and may arrive here more than once; the command
  // counts repeated signals as one. This script runs until the command has exited.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  onParentGone(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 130);
  });
}

/**
 * The variables that are set and not empty, and the others from a running stack unless DATABASE_URL
 * is another database; undefined if there is no database.
 */
async function commandEnvironment() {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const stack = stackEnvironment();
  const url = given.DATABASE_URL ?? stack?.DATABASE_URL;
  if (url === undefined) return undefined;
  if (url !== stack?.DATABASE_URL) return given;
  const { commandsOwn } = await import('../dist/stack/own-secrets.js');
  return { ...commandsOwn(script, stack), ...given };
}

/** The variables of a running stack; undefined if none runs. */
function stackEnvironment() {
  try {
    const { pid, environment } = JSON.parse(
      readFileSync(resolve(localFolder, 'stack.json'), 'utf8'),
    );
    process.kill(pid, 0);
    return environment;
  } catch {
    return undefined;
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
