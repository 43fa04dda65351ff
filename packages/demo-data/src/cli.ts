#!/usr/bin/env node
import { stopOnSignals } from '@vcds/importer';
import { runDemoCommand } from './command.ts';

const stop = new AbortController();
const release = stopOnSignals(
  () => stop.abort(new Error('stopped')),
  () => process.exit(130),
);

const { argv, env, stdout: out, stderr: err } = process;
process.exitCode = await runDemoCommand(argv.slice(2), env, { out, err }, stop.signal);
release();
