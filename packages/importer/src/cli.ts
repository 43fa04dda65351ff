#!/usr/bin/env node
import { ImportError } from './errors/import-error.ts';
import { ingest } from './ingest-command.ts';
import type { Progress } from './report/progress.ts';
import { stoppedAtOnce } from './run/failure.ts';
import { stopOnSignals } from './stop-on-signals.ts';

// Each write handles its own errors.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const stopping = new AbortController();
let progress: Progress | undefined;
const release = stopOnSignals(
  () => {
    process.stderr.write(
      '\nStopping after the current step; press Ctrl-C again to stop immediately.\n',
    );
    stopping.abort(new ImportError('stopped', 'Stopped.'));
  },
  () => {
    process.stderr.write(`\n${stoppedAtOnce(progress)}\n`);
    process.exit(1);
  },
);

process.exitCode = await ingest(process.argv.slice(2), {
  environment: process.env,
  // npm changes to the root of the repository; this is the folder of the caller.
  folder: process.env.INIT_CWD ?? process.cwd(),
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
  signal: stopping.signal,
  onProgress: (reached) => {
    progress = reached;
  },
});
release();
