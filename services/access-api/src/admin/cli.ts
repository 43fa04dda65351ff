import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runAdmin } from './run.ts';

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  localDir: fileURLToPath(new URL('../../../../.local', import.meta.url)),
  readInput: () => text(process.stdin),
  isInteractive: process.stdout.isTTY === true,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
