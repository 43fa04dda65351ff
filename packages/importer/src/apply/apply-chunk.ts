import type pg from 'pg';
import type { Chunk } from '../checks/chunks.ts';
import { recordTables } from '../records/index.ts';
import type { RecordType } from '../records/kinds.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { applyListedInvestors } from './listed-investors.ts';
import { routeLines } from './route-lines.ts';
import { type Statements, statementsOf, type Target } from './statements.ts';
import { inTransaction } from './transaction.ts';

/** The outcomes of applied lines; their sum is `lines`. */
export interface Applied {
  lines: number;
  inserted: number;
  updated: number;
  deleted: number;
  unchanged: number;
  stale: number;
}

export type AppliedByType = ReadonlyMap<RecordType, Applied>;

function sum(before: Applied | undefined, more: Applied): Applied {
  if (before === undefined) return more;
  return {
    lines: before.lines + more.lines,
    inserted: before.inserted + more.inserted,
    updated: before.updated + more.updated,
    deleted: before.deleted + more.deleted,
    unchanged: before.unchanged + more.unchanged,
    stale: before.stale + more.stale,
  };
}

/** Applies chunks over one connection. */
export class ChunkApplier {
  readonly #client: pg.ClientBase;
  readonly #tables: StageTables;
  readonly #types: readonly RecordType[];
  readonly #statements = new Map<string, Statements>();
  readonly #repeated: ReadonlySet<RecordType>;

  /** `repeated`: types with records that have several lines to apply. */
  constructor(client: pg.ClientBase, tables: StageTables, repeated: ReadonlySet<RecordType>) {
    this.#client = client;
    this.#tables = tables;
    this.#repeated = repeated;
    // Referenced types first.
    this.#types = Object.values(recordTables).flatMap(({ type }) =>
      tables.has(type) ? [type] : [],
    );
  }

  /** Applies a chunk in one transaction. */
  async apply({ from, to }: Chunk): Promise<AppliedByType> {
    const range = [from.at, from.behind, from.n, to.at, to.behind, to.n];
    return inTransaction(this.#client, async () => {
      // Foreign keys and row triggers use one plan for all rows of a chunk, not that of a smaller table.
      await this.#client.query('DISCARD PLANS');
      // Signals get their market date from the line (docs/spec/signals.md).
      await this.#client.query("SET LOCAL venture.writer_dates_rows = 'on'");
      // One update of each startup for all its rounds, holdings and valuations.
      await this.#client.query("SET LOCAL venture.derive = 'later'");
      const isAnyMerged = await this.#isAnyMerged();
      const applied = new Map<RecordType, Applied>();
      for (const type of this.#types) {
        const isRouted = isAnyMerged && (await routeLines(this.#client, this.#tables, type, range));
        const targets: readonly Target[] = isRouted ? ['other records', 'statements'] : ['records'];
        for (const target of targets) {
          const counts = await this.#applyType(type, target, range);
          if (counts !== undefined) applied.set(type, sum(applied.get(type), counts));
        }
      }
      if (isAnyMerged) await this.#client.query('SELECT venture.derive_due()');
      await this.#client.query('SELECT venture.keep_due()');
      return applied;
    });
  }

  async #applyType(
    type: RecordType,
    target: Target,
    range: readonly unknown[],
  ): Promise<Applied | undefined> {
    const statements = this.#statementsOf(type, target);
    const counted = await this.#row(statements.count, range);
    const { lines = 0, known = 0, stale = 0, revived = 0 } = counted;
    if (lines === 0) return undefined;
    const { inserted = 0 } = known < lines ? await this.#row(statements.insert, range) : {};
    const { updated = 0, deleted = 0 } =
      known > stale ? await this.#row(statements.update, range) : {};
    const byList =
      type === 'round' ? await applyListedInvestors(this.#client, this.#tables, range, target) : 0;
    if (known > stale) await this.#row(statements.date, range);
    if (this.#repeated.has(type)) await this.#row(statements.sequence, range);
    if (inserted !== lines - known) {
      throw new Error(`${inserted} of ${lines - known} new records of type ${type} were inserted`);
    }
    // A restored record counts as inserted.
    return {
      lines,
      inserted: inserted + revived,
      updated: updated - revived + byList,
      deleted,
      unchanged: lines - inserted - updated - deleted - byList - stale,
      stale,
    };
  }

  #statementsOf(type: RecordType, target: Target): Statements {
    const name = `${type} ${target}`;
    const known = this.#statements.get(name) ?? statementsOf(this.#tables, type, target);
    this.#statements.set(name, known);
    return known;
  }

  /** Whether companies are merged. Merges wait until the transaction ends. */
  async #isAnyMerged(): Promise<boolean> {
    const { rows } = await this.#client.query<{ merged: boolean }>(
      'SELECT venture.begin_statements() AS merged',
    );
    return rows[0]?.merged === true;
  }

  /** Runs a statement, which is planned for this chunk, and returns the numbers of its only row. */
  async #row(
    statement: string,
    range: readonly unknown[],
  ): Promise<Readonly<Partial<Record<string, number>>>> {
    const { rows } = await this.#client.query<Record<string, number>>(statement, [...range]);
    return rows[0] ?? {};
  }
}
