#!/usr/bin/env node
import { stopOnSignals } from '@vcds/importer';
import { runDemoCommand } from './command.ts';

const stop = new AbortController();
const release = stopOnSignals(
  () => stop.abort(new Error('stopped')),
  () => process.exit(130),
);

process.exitCode = await runDemoCommand(
  process.argv.slice(2),
  process.env,
  { out: process.stdout, err: process.stderr },
  stop.signal,
);
release();
