#!/usr/bin/env node
import { stopOnSignals } from '@vcds/importer';
import { runMatching } from './command.ts';

const stop = new AbortController();
const release = stopOnSignals(
  () => {
    process.stderr.write('\nStopping after the current step; press Ctrl-C again to stop now.\n');
    stop.abort(new Error('Stopped.'));
  },
  () => process.exit(1),
);
process.exitCode = await runMatching(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  signal: stop.signal,
  nowMs: Date.now,
});
release();
