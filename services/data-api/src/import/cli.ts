#!/usr/bin/env node
import { ImportError } from './import-error.ts';
import { ingest } from './ingest-command.ts';

const stopping = new AbortController();
const stop = () => stopping.abort(new ImportError('stopped', 'Stopped; what was applied stays.'));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

process.exitCode = await ingest(process.argv.slice(2), {
  environment: process.env,
  // Where the command was given, wherever pnpm runs it.
  folder: process.env.INIT_CWD ?? process.cwd(),
  out: process.stdout,
  err: process.stderr,
  signal: stopping.signal,
});
process.off('SIGINT', stop);
process.off('SIGTERM', stop);
