#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './report/import-report.ts';
import { printReport } from './report/print-report.ts';
import { progressLine } from './report/progress-line.ts';
import { importRates, runImport } from './run/run-import.ts';

const usage = `pnpm ingest [FILE…] [--map MAPPING] [--continue] [--rates FILE] [--rejected DIR] [--json]

Imports NDJSON, or what a mapping reads (docs/import.md). Applies nothing if a line is rejected.
  --map MAPPING    a mapping file for CSV, TSV or JSONL
  --continue       applies the rest although lines are rejected
  --rates FILE     takes over rates to the dollar first (CSV: currency,date,rate,origin)
  --rejected DIR   where FILE.rejected.ndjson and FILE.repaired.ndjson go; default: beside FILE
  --json           prints the report as JSON instead of the table
  DATABASE_URL     PostgreSQL of data-api; default: that of a running npm start
`;

class UsageError extends Error {}

process.exitCode = await main(process.argv.slice(2));

/** Exit codes: 0 applied, 1 refused or failed, 2 called in a wrong way. */
async function main(args: string[]): Promise<number> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new ImportError('file', 'Stopped; what was applied stays.'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const { values, positionals } = parsed(args);
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    if (positionals.length === 0 && values.rates === undefined) {
      throw new UsageError('Name a file to import.');
    }
    if (positionals.length === 0 && values.rates !== undefined) {
      const rates = await importRates(databaseUrl(), fromCaller(values.rates));
      process.stdout.write(`${rates} rates taken over.\n`);
      return 0;
    }
    const show = progressLine(process.stderr);
    const report = await runImport({
      connectionString: databaseUrl(),
      files: positionals.map(fromCaller),
      continueOnRejected: values.continue ?? false,
      onProgress: show.progress,
      signal: stopping.signal,
      ...(values.map === undefined ? {} : { mapping: fromCaller(values.map) }),
      ...(values.rates === undefined ? {} : { ratesFile: fromCaller(values.rates) }),
      ...(values.rejected === undefined ? {} : { rejectedFolder: fromCaller(values.rejected) }),
    }).finally(show.end);
    process.stdout.write(`${values.json ? jsonOf(report) : printReport(report)}\n`);
    return report.state === 'applied' ? 0 : 1;
  } catch (error) {
    return explain(error);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        map: { type: 'string' },
        continue: { type: 'boolean' },
        rates: { type: 'string' },
        rejected: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Paths are those of the folder the command was given in, wherever pnpm runs it. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** `DATABASE_URL`, else what a running stack left in `stack.json`. */
function databaseUrl(): string {
  const given = process.env.DATABASE_URL;
  if (given !== undefined && given !== '') return given;
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const local = resolve(root, process.env.LOCAL_DIR || '.local');
  try {
    const stack: { environment?: { DATABASE_URL?: string } } = JSON.parse(
      readFileSync(join(local, 'stack.json'), 'utf8'),
    );
    if (stack.environment?.DATABASE_URL !== undefined) return stack.environment.DATABASE_URL;
  } catch {
    // No stack runs here.
  }
  throw new UsageError('DATABASE_URL is not set, and no stack of npm start is running.');
}

function jsonOf(report: ImportReport): string {
  return JSON.stringify({ ...report, byType: Object.fromEntries(report.byType) });
}

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  if (!(error instanceof ImportError) && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
  return 1;
}
