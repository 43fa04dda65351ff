#!/usr/bin/env node
import { stopOnSignals } from '@vcds/importer';
import { runResolve } from './command.ts';

const stop = new AbortController();
const release = stopOnSignals(
  () => stop.abort(new Error('stopped; what is done stays')),
  () => process.exit(1),
);
process.exitCode = await runResolve(process.argv.slice(2), {
  environment: process.env,
  isInteractive: process.stdout.isTTY === true,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  signal: stop.signal,
});
release();
