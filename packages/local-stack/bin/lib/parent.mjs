import { readFileSync } from 'node:fs';

const pollMs = 500;

/**
 * Calls back once when the npm that runs this script is gone. Killed from outside, npm takes
 * only the shell between the two with it, or nothing at all; without this the script would
 * live on unseen. Does nothing for a script that was not run by npm or a relative of it.
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
  }, pollMs);
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

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
