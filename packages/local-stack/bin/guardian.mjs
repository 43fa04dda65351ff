// Cleans up after a process that exits without doing so, even after kill -9.
//
// Its standard input is a pipe from that process. Lines of JSON add and remove cleanup tasks. When
// the pipe closes, the guardian runs the remaining tasks, newest first: a database server that was
// registered before its clients is stopped after them. After an orderly exit no task remains.

import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './lib/parent.mjs';

const POLL_MS = 50;
const tasks = new Map();

// Ctrl-C in the terminal is for the guarded process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, task } = JSON.parse(line);
  if (task === null) tasks.delete(id);
  else tasks.set(id, { ...task, startedAt: startOf(task.pid) });
}
for (const task of [...tasks.values()].reverse()) {
  if (task.kind === 'stop') await stop(task);
  if (task.kind === 'remove') rmSync(task.path, { recursive: true, force: true, maxRetries: 5 });
  if (task.kind === 'run') await run(task);
}

async function stop({ pid, signal, graceMs, startedAt }) {
  const isSame = () => isAlive(pid) && startOf(pid) === startedAt;
  if (isSame()) send(pid, signal);
  const deadline = Date.now() + graceMs;
  while (isSame() && Date.now() < deadline) await delay(POLL_MS);
  if (isSame()) send(pid, 'SIGKILL');
}

function run({ command, args, env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    child.on('error', resolve);
    child.on('exit', resolve);
  });
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited.
  }
}

/**
 * When a process started, in clock ticks since boot: it distinguishes processes with the same pid.
 * `ended` for a zombie.
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}
