import { readFileSync } from 'node:fs';

const POLL_MS = 500;

/**
 * Calls back once when the npm that runs this script has exited. A killed npm ends at most the shell
 * between the two, so the script would continue to run. Does nothing if npm does not run it.
 */
export function onParentGone(callback) {
  if (process.env.npm_lifecycle_event === undefined || process.platform !== 'linux') return;
  const { ppid } = process;
  const runner = isShell(ppid) ? parentOf(ppid) : ppid;
  if (runner === undefined || runner <= 1) return;
  const timer = setInterval(() => {
    if (process.ppid === ppid && isAlive(runner)) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
}

function isShell(pid) {
  try {
    const [command, option] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return /(^|\/)(ba|da|z)?sh$/.test(command) && option === '-c';
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    const [, ppid] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(ppid);
  } catch {
    return undefined;
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
