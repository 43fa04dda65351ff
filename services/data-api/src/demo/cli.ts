#!/usr/bin/env node
import { runDemonstration } from './command.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error(signal)));
}

process.exitCode = await runDemonstration(
  process.argv.slice(2),
  process.env,
  { out: process.stdout, err: process.stderr },
  stop.signal,
);
