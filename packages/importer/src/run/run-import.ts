import { sweepOperatingStatus } from '@vcds/venture-model';
import type pg from 'pg';
import { ChunkApplier } from '../apply/apply-chunk.ts';
import { applyInLanes } from '../apply/apply-chunks.ts';
import { chunks } from '../checks/chunks.ts';
import type { StagedFile } from '../checks/keys.ts';
import { renewSequences } from '../checks/repeated-lines.ts';
import type { MappingSet } from '../mapping/mapping-set.ts';
import { ensureRates, loadRates } from '../rates/load-rates.ts';
import type { ImportReport } from '../report/import-report.ts';
import type { Progress } from '../report/progress.ts';
import { Tally } from '../report/tally.ts';
import { layout } from '../staging/layout.ts';
import { StageTables } from '../staging/stage-tables.ts';
import { settleSpellings } from '../terms/canonicalize.ts';
import { countUses, type Relabelled, relabelTerms } from '../terms/relabel.ts';
import { type Checked, checkStaged } from './check-staged.ts';
import { importFailure, type Reached } from './failure.ts';
import { ImportRun } from './import-run.ts';
import type { LineStream, OpenSource } from './open-source.ts';
import { openSides, openSources } from './open-sources.ts';
import { openSession, takeTurn } from './session.ts';
import { type SideFiles, stageSources } from './stage-sources.ts';

export interface ImportOptions {
  /** PostgreSQL with the migrated schema `venture`. */
  readonly connectionString: string;
  /** Files to read, together one import: NDJSON, or what the mapping reads. */
  readonly files?: readonly string[];
  /** Lines made by a program, after the files. */
  readonly stream?: LineStream;
  /** A mapping, or the path of a mapping file. */
  readonly mapping?: string | MappingSet;
  /** What the file named `-` stands for. */
  readonly input?: AsyncIterable<Buffer>;
  /** Apply what can be applied although lines are rejected. Default false. */
  readonly continueOnRejected?: boolean;
  /** A CSV of rates to take over first. */
  readonly ratesFile?: string;
  /** Where files of rejected and repaired lines go; beside the imported file by default. */
  readonly rejectedFolder?: string;
  /** Connections that apply side by side where order allows. Default 2. */
  readonly lanes?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the import between two transactions. */
  readonly signal?: AbortSignal;
  /** Take files that hold nothing to import. Default false: they are taken for a mistake. */
  readonly allowEmpty?: boolean;
}

/**
 * Imports files and lines: stages and checks all of them, then applies them in transactions of at
 * most 5,000 lines, in order. Importing the same again changes nothing.
 *
 * @returns what became of every line; `refused` when lines were rejected and nothing applied.
 * @throws ImportError for a file, mapping or rates that cannot be used, a database that is not
 *   there or fails, and an import that was stopped by the signal. It says what was applied; what
 *   was committed stays.
 */
export async function runImport(options: ImportOptions): Promise<ImportReport> {
  const startedAt = performance.now();
  const reached: Reached = { applied: 0, toApply: undefined };
  try {
    const { mapping, sources } = await openSources(options);
    const client = await openSession(options.connectionString);
    try {
      return await importSources(options, mapping, sources, client, reached, startedAt);
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    throw importFailure(error, reached);
  }
}

async function importSources(
  options: ImportOptions,
  mapping: MappingSet | undefined,
  sources: readonly OpenSource[],
  client: pg.Client,
  reached: Reached,
  startedAt: number,
): Promise<ImportReport> {
  const progress = options.onProgress ?? (() => undefined);
  await takeTurn(client, () => progress({ step: 'waiting', lines: 0 }), options.signal);
  if (options.ratesFile !== undefined) await loadRates(client, options.ratesFile);
  await ensureRates(client);
  const names = sources.map(({ name }) => name).join(', ');
  const sides = await openSides(sources);
  const run = await ImportRun.begin(options.connectionString, names, mapping?.name);
  const tally = new Tally();
  try {
    const tables = await StageTables.open(client);
    const context = { options, client, tables, tally, sides, sources, run, progress, reached };
    // Tables that cannot be dropped now go with the next import.
    const result = await importStaged(context).finally(() =>
      tables.drop(client).catch(() => undefined),
    );
    await run.end(result.state, tally.total);
    return reportOf(context, result, (performance.now() - startedAt) / 1000);
  } catch (error) {
    await run.end('failed', tally.total).catch(() => undefined);
    throw error;
  } finally {
    await Promise.allSettled(
      sides.flatMap(({ rejected, repaired }) => [rejected, repaired]).map((side) => side.close()),
    );
  }
}

/**
 * Takes over a CSV of rates to the dollar without importing anything.
 *
 * @returns how many rates it holds.
 * @throws ImportError for a row that is no rate, or no database; nothing is kept then.
 */
export async function importRates(connectionString: string, file: string): Promise<number> {
  try {
    const client = await openSession(connectionString);
    try {
      return await loadRates(client, file);
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    throw importFailure(error, { applied: 0, toApply: undefined });
  }
}

interface Context {
  readonly options: ImportOptions;
  readonly client: pg.Client;
  readonly tables: StageTables;
  readonly tally: Tally;
  readonly sides: readonly SideFiles[];
  readonly sources: readonly OpenSource[];
  readonly run: ImportRun;
  readonly progress: (progress: Progress) => void;
  readonly reached: Reached;
}

interface Result {
  readonly state: 'applied' | 'refused';
  readonly relabelled: readonly Relabelled[];
  readonly swept: number;
}

async function importStaged(context: Context): Promise<Result> {
  const { options, client, tables, tally, sides, run, progress } = context;
  const files = await stageSources(context, (staged) =>
    progress({ step: 'staging', lines: staged }),
  );
  const lines = files.at(-1)?.last ?? 0;
  progress({ step: 'checking', lines });
  const checked = await checkStaged(client, tables, sides, files, tally);
  // What is rejected is known by now, and must be on file before anything is applied.
  for (const { rejected, repaired } of sides) {
    await rejected.close();
    await repaired.close();
  }
  if (tally.total.rejected > 0 && options.continueOnRejected !== true) {
    for (const [type, counts] of tally.byType) {
      const { read, rejected, duplicate, unchanged } = counts;
      tally.settle(type, 'unapplied', read - rejected - duplicate - unchanged);
    }
    return { state: 'refused', relabelled: [], swept: 0 };
  }
  options.signal?.throwIfAborted();
  // What an import that was killed left undone, before a line meets the spelling in use.
  const resumed = await relabelTerms(client);
  await settleTerms(context, files);
  await run.reach('applying');
  await applyStaged(context, checked);
  const { applied, toApply: linesMax } = context.reached;
  progress({ step: 'finishing', lines: applied, ...(linesMax !== undefined && { linesMax }) });
  const { relabelled, swept } = await finish(context, checked);
  return { state: 'applied', relabelled: [...resumed, ...relabelled], swept };
}

/** Rewrites staged lines to the spellings in use, and lists each that gave way. */
async function settleTerms(
  { client, tables, tally, sides }: Context,
  files: readonly StagedFile[],
): Promise<void> {
  const starts = files.map(({ first }) => first);
  const respelled = await settleSpellings(client, tables, starts, async (page) => {
    for (const respelling of page) {
      sides[starts.findLastIndex((first) => first <= respelling.n)]?.respelled.add(respelling);
    }
    for (const { repaired } of sides) await repaired.write();
  });
  for (const [type, lines] of respelled) {
    tally.note(type, { field: 'terms', kind: 'respelled', done: 'spelling settled' }, lines);
  }
  for (const { repaired } of sides) await repaired.close();
}

async function applyStaged(context: Context, { repeated }: Checked): Promise<void> {
  const { options, client, tables, tally, progress, reached } = context;
  const { read, rejected, duplicate, unchanged } = tally.total;
  const linesMax = read - rejected - duplicate - unchanged;
  reached.toApply = linesMax;
  const sessions: pg.Client[] = [];
  try {
    for (let lane = 0; lane < (options.lanes ?? 2); lane++) {
      sessions.push(await openSession(options.connectionString));
    }
    await applyInLanes(
      chunks(client, tables),
      sessions.map((session) => new ChunkApplier(session, tables, repeated)),
      (applied) => {
        tally.applied(applied);
        for (const { lines } of applied.values()) reached.applied += lines;
        progress({ step: 'applying', lines: reached.applied, linesMax });
      },
      options.signal,
    );
  } finally {
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}

async function finish({ client, tables, tally }: Context, { repeated }: Checked) {
  await countUses(client, tables);
  const relabelled = await relabelTerms(client);
  const swept = await sweepOperatingStatus(client);
  for (const type of repeated) await renewSequences(client, tables, type);
  await refreshStatistics(client, tables, tally);
  return { relabelled, swept };
}

/** Statistics of a table that was mostly written just now would mislead every plan. */
async function refreshStatistics(
  client: pg.Client,
  tables: StageTables,
  tally: Tally,
): Promise<void> {
  for (const type of tables.types) {
    const inserted = tally.byType.get(type)?.inserted ?? 0;
    const table = `venture.${layout(type).table}`;
    const { rows } = await client.query<{ due: boolean }>(
      `SELECT $1 > greatest(1000, 0.1 * reltuples) AS due FROM pg_class WHERE oid = $2::regclass`,
      [inserted, table],
    );
    if (rows[0]?.due === true) {
      await client.query('SELECT venture.refresh_statistics($1::regclass)', [table]);
    }
  }
}

function reportOf(
  { tally, sides, sources, run }: Context,
  { state, relabelled, swept }: Result,
  seconds: number,
): ImportReport {
  return {
    runId: run.id,
    state,
    files: sources.map(({ name }, index) => ({
      name,
      read: sides[index]?.read ?? 0,
      rejectedFile: sides[index]?.rejected.written,
      repairedFile: sides[index]?.repaired.written,
    })),
    byType: tally.byType,
    total: tally.total,
    skipped: tally.skipped,
    longRows: tally.longRows,
    notes: tally.notes,
    relabelled,
    swept,
    seconds,
  };
}
