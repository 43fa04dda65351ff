// Cleans up after a process that ended without doing so itself, kill -9 included.
//
// Its standard input is a pipe from that process. Lines of JSON add and drop duties; when the
// pipe closes, the duties left are carried out, the newest first: a database server registered
// before its clients is stopped after them. In an orderly end no duty is left.

import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 50;
const duties = new Map();

// Ctrl-C in the terminal is for the process being guarded.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, duty } = JSON.parse(line);
  if (duty === null) duties.delete(id);
  else duties.set(id, { ...duty, startedAt: startOf(duty.pid) });
}
for (const duty of [...duties.values()].reverse()) {
  if (duty.kind === 'stop') await stop(duty);
  if (duty.kind === 'remove') rmSync(duty.path, { recursive: true, force: true, maxRetries: 5 });
  if (duty.kind === 'run') await run(duty);
}

async function stop({ pid, signal, graceMs, startedAt }) {
  const isSame = () => isAlive(pid) && startOf(pid) === startedAt;
  if (isSame()) send(pid, signal);
  const deadline = Date.now() + graceMs;
  while (isSame() && Date.now() < deadline) await delay(pollMs);
  if (isSame()) send(pid, 'SIGKILL');
}

function run({ command, args, env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    child.on('error', resolve);
    child.on('exit', resolve);
  });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between.
  }
}

/**
 * When a process started, in clock ticks since boot, so that a reused pid is not mistaken. One
 * that has ended and only waits to be noticed by its parent has no start.
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
