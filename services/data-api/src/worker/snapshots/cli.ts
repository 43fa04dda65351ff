#!/usr/bin/env node
import { stopOnSignals } from '@vcds/importer';
import { runSnapshot } from './command.ts';

const stop = new AbortController();
const release = stopOnSignals(
  () => stop.abort(new Error('stopped; no snapshot was made')),
  () => process.exit(1),
);
process.exitCode = await runSnapshot({
  environment: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  signal: stop.signal,
});
release();
