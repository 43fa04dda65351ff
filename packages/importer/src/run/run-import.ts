import { recalculateOperatingStatus } from '@vcds/venture-model';
import type pg from 'pg';
import { ChunkApplier } from '../apply/apply-chunk.ts';
import { applyChunks } from '../apply/apply-chunks.ts';
import { readChunks } from '../checks/chunks.ts';
import type { StagedFile } from '../checks/keys.ts';
import { updateSequences } from '../checks/repeated-lines.ts';
import { ensureRates, loadRates } from '../rates/load-rates.ts';
import type { RecordType } from '../records/kinds.ts';
import type { ImportReport } from '../report/import-report.ts';
import type { Progress } from '../report/progress.ts';
import { Tally } from '../report/tally.ts';
import { StageTables } from '../staging/stage-tables.ts';
import { canonicalizeTerms } from '../terms/canonicalize.ts';
import { type ChosenSpelling, chooseSpelling } from '../terms/choose-spelling.ts';
import { type Relabelled, relabelTerms } from '../terms/relabel.ts';
import { checkStaged } from './check-staged.ts';
import { importFailure, type Reached } from './failure.ts';
import {
  BUILDING_SESSIONS,
  buildIndexes,
  countDropped,
  dropIndexes,
  FIRST_LOAD_LINES_MIN,
  mergePendingEntries,
} from './first-load.ts';
import { beginRun, type ImportRun } from './import-run.ts';
import { type OpenSource, openSides, openSources, type Sources } from './open-sources.ts';
import { lockImports, openSession } from './session.ts';
import { bothOf, type OpenSessions, withSessions } from './sessions.ts';
import { type SideFiles, stageSources } from './stage-sources.ts';
import { collectFirstStatistics, refreshStatistics } from './statistics.ts';

export interface ImportOptions extends Sources {
  /** PostgreSQL with the migrated schema `venture`. */
  readonly connectionString: string;
  /** Apply the valid lines although others are rejected. Default: false. */
  readonly continueOnRejected?: boolean;
  /** A CSV of exchange rates to import first. */
  readonly ratesFile?: string;
  /** Connections that apply chunks in parallel. Default: 2. */
  readonly workers?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the import between two transactions. */
  readonly signal?: AbortSignal;
  /** Accept files without lines. Default: false, they are an error. */
  readonly allowEmpty?: boolean;
  /** Lines of a type from which an almost empty table is filled without its indexes. */
  readonly firstLoadLinesMin?: number;
}

/**
 * Imports files and lines: stages and checks all of them, then applies them in transactions of at
 * most 5,000 lines. Importing the same input again changes nothing.
 *
 * @returns the outcomes of all lines; state `rejected` if lines were rejected and none applied.
 * @throws ImportError for a file, mapping or rates that cannot be used, a database that cannot be
 *   reached or fails, and an import that the signal stopped. Its message says what was applied;
 *   committed lines stay.
 */
export function runImport(options: ImportOptions): Promise<ImportReport> {
  const startedAt = performance.now();
  const reached: Reached = { applied: 0, toApply: undefined };
  return reportFailure(reached, async () => {
    const { mapping, sources } = await openSources(options);
    return withSession(options.connectionString, async (client) => {
      const progress = options.onProgress ?? (() => undefined);
      await lockImports(client, () => progress({ step: 'waiting', lines: 0 }), options.signal);
      if (options.ratesFile !== undefined) await loadRates(client, options.ratesFile);
      await ensureRates(client);
      const names = sources.map(({ name }) => name).join(', ');
      const sides = await openSides(sources);
      const run = await beginRun(client, options.connectionString, names, mapping?.name);
      const tally = new Tally();
      try {
        const tables = await StageTables.open(client);
        const context = { options, client, tables, tally, sides, sources, run, progress, reached };
        // The next import drops tables that cannot be dropped now.
        const result = await importSources(context).finally(() =>
          tables.drop().catch(() => undefined),
        );
        await run.end(result.state, tally.total);
        return reportOf(context, result, (performance.now() - startedAt) / 1000);
      } catch (error) {
        await run.fail(tally.total).catch(() => undefined);
        throw error;
      } finally {
        await Promise.allSettled(
          sides.flatMap(({ rejected, repaired }) => [rejected.close(), repaired.close()]),
        );
      }
    });
  });
}

/**
 * Imports a CSV of exchange rates to the dollar and nothing else.
 *
 * @returns the number of rates in it.
 * @throws ImportError for an invalid row or an unavailable database; no rate is stored then.
 */
export function importRates(connectionString: string, file: string): Promise<number> {
  return reportFailure({ applied: 0, toApply: undefined }, () =>
    withSession(connectionString, (client) => loadRates(client, file)),
  );
}

/**
 * Makes a spelling the one that records have, while no import runs.
 * @throws ImportError as {@link chooseSpelling} does, and for an unavailable database.
 */
export function runChoice(
  connectionString: string,
  chosen: ChosenSpelling,
  signal: AbortSignal,
): Promise<readonly Relabelled[]> {
  return reportFailure({ applied: 0, toApply: undefined }, () =>
    withSession(connectionString, async (client) => {
      await lockImports(client, () => undefined, signal);
      return chooseSpelling(client, chosen);
    }),
  );
}

async function reportFailure<T>(reached: Reached, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw importFailure(error, reached);
  }
}

async function withSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openSession(url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
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

type Result = Pick<ImportReport, 'state' | 'relabelled' | 'swept' | 'indexes'>;

async function importSources(context: Context): Promise<Result> {
  const { options, client, tables, tally, sides, run, progress } = context;
  const files = await stageSources(context, (lines) => progress({ step: 'staging', lines }));
  progress({ step: 'checking', lines: files.at(-1)?.last ?? 0 });
  const repeated = await checkStaged(tables, sides, files, tally);
  // All rejected lines are known now; they are written before any line is applied.
  await closeSides(sides);
  if (tally.total.rejected > 0 && options.continueOnRejected !== true) {
    for (const [type, { read, rejected, duplicate, unchanged }] of tally.byType) {
      tally.add(type, 'unapplied', read - rejected - duplicate - unchanged);
    }
    return { state: 'rejected', relabelled: [], swept: 0, indexes: 0 };
  }
  options.signal?.throwIfAborted();
  // Completes a choice of a spelling that was killed, before lines are compared with the labels.
  const relabelled = await relabelTerms(client);
  await replaceSpellings(context, files);
  await run.beginApplying();
  return withSessions(options.connectionString, async (open) => {
    await applyStaged(context, repeated, open);
    const indexes = await buildDropped(context, open);
    const { applied: lines, toApply: linesMax } = context.reached;
    progress({ step: 'finishing', lines, ...(linesMax !== undefined && { linesMax }) });
    const { startups: swept } = await recalculateOperatingStatus(client);
    for (const type of repeated) await updateSequences(tables, type);
    await bothOf(
      refreshStatistics(client, tally),
      mergePendingEntries(await open(workersOf(options))),
    );
    return { state: 'applied', relabelled, swept, indexes };
  });
}

const workersOf = ({ workers = 2 }: ImportOptions): number => workers;

async function closeSides(sides: readonly SideFiles[]): Promise<void> {
  for (const { rejected, repaired } of sides) {
    await rejected.close();
    await repaired.close();
  }
}

/** Replaces spellings in staged lines by the labels of their terms, and lists each. */
async function replaceSpellings(
  { tables, tally, sides }: Context,
  files: readonly StagedFile[],
): Promise<void> {
  const starts = files.map(({ first }) => first);
  const respelled = await canonicalizeTerms(tables, starts, async (page) => {
    for (const respelling of page) {
      sides[starts.findLastIndex((first) => first <= respelling.n)]?.respelled.add(respelling);
    }
    for (const { repaired } of sides) await repaired.write();
  });
  for (const [type, lines] of respelled) {
    tally.note(type, { field: 'terms', kind: 'respelled', done: 'replaced by the label' }, lines);
  }
  await closeSides(sides);
}

/** Applies the staged lines. */
async function applyStaged(
  context: Context,
  repeated: ReadonlySet<RecordType>,
  open: OpenSessions,
): Promise<void> {
  const { options, client, tables, tally, progress, reached } = context;
  const linesMax = tally.toApply;
  reached.toApply = linesMax;
  const least = options.firstLoadLinesMin ?? FIRST_LOAD_LINES_MIN;
  for (const type of tables.types) {
    const lines = tally.toApplyOf(type);
    if (lines >= least) await dropIndexes(client, type, lines);
  }
  reached.indexes = await countDropped(client);
  const sessions = await open(workersOf(options));
  const begun = new Set<RecordType>();
  let collecting = Promise.resolve();
  await applyChunks(
    readChunks(tables),
    sessions.map((session) => new ChunkApplier(session, tables, repeated)),
    (applied) => {
      tally.applied(applied);
      for (const { lines } of applied.values()) reached.applied += lines;
      progress({ step: 'applying', lines: reached.applied, linesMax });
      const isNew = [...applied.keys()].some((type) => !begun.has(type));
      if (!isNew || reached.applied >= linesMax) return;
      for (const type of applied.keys()) begun.add(type);
      collecting = collecting.then(() => collectFirstStatistics(client));
      // The error is thrown below, after the running chunks.
      collecting.catch(() => undefined);
    },
    options.signal,
  );
  await collecting;
}

/** Builds the dropped indexes, and returns their number. */
async function buildDropped(context: Context, open: OpenSessions): Promise<number> {
  const { options, progress, reached } = context;
  if (reached.indexes === 0) return 0;
  const building = (lines: number, all: number) =>
    progress({ step: 'indexing', lines, linesMax: all });
  const indexes = await buildIndexes(await open(BUILDING_SESSIONS), building, options.signal);
  reached.indexes = 0;
  return indexes;
}

function reportOf({ tally, sides, run }: Context, result: Result, seconds: number): ImportReport {
  const { byType, total, skipped, longRows, notes, unknownCountries } = tally;
  const causes = tally.causes.list;
  const files = sides.map(({ name, read, rejected, repaired }) => ({
    name,
    read,
    rejectedFile: rejected.written,
    repairedFile: repaired.written,
  }));
  const counted = { byType, total, causes, skipped, longRows, notes, unknownCountries };
  return { runId: run.id, ...result, files, ...counted, seconds };
}
