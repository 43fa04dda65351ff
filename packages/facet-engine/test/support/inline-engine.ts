import { answerQuery } from '../../src/answer-query.ts';
import { Catalogue } from '../../src/catalogue.ts';
import { ColumnStore, type ColumnStoreOptions, type NewValue } from '../../src/column-store.ts';
import { CountCache } from '../../src/count-cache.ts';
import { type CountJob, countsLength } from '../../src/count-job.ts';
import { type CountSegmentsOptions, countSegments } from '../../src/count-segments.ts';
import {
  firstOfSegments,
  mergeFirst,
  rankCount,
  rankSegments,
  readFirst,
} from '../../src/first-records.ts';
import { idWords } from '../../src/id-table.ts';
import { planFirst, planRecords } from '../../src/plan-query.ts';
import type { FacetCounts, FacetQuery, FirstRecordsQuery, RecordQuery } from '../../src/port.ts';
import { applyChanges, type Segments } from '../../src/segment.ts';
import { skipFirst, startOf, storedRanks } from '../../src/skip-first.ts';
import { SCHEMA } from './schema.ts';

export interface InlineOptions extends ColumnStoreOptions, CountSegmentsOptions {
  /** Bytes of the count cache; none by default. */
  readonly cacheBytesMax?: number;
  /** Whether memory is reused once the last version published does not contain it. */
  readonly recycles?: boolean;
}

/** The engine without threads and database. */
export class InlineEngine {
  readonly store: ColumnStore;
  readonly #catalogue = new Catalogue(SCHEMA);
  readonly #entities: Segments[] = [[], [], []];
  readonly #options: CountSegmentsOptions;
  #version = 0;

  constructor(options: InlineOptions = {}) {
    const acknowledged = () => (options.recycles === true ? this.#version : 0);
    this.store = new ColumnStore(3, { acknowledged, ...options });
    const { cacheBytesMax } = options;
    const cache = cacheBytesMax === undefined ? undefined : new CountCache(cacheBytesMax);
    this.#options = { listMax: options.listMax, cache, cachedRecordsMin: 1 };
  }

  addValues(values: readonly NewValue[]): void {
    for (const value of values) this.store.addValue(value);
  }

  write(entity: number, id: string, codes: readonly number[] | undefined): void {
    const list = Int32Array.from(codes ?? []);
    const store = this.store.entities[entity];
    store?.apply(idWords(id), list, list.length, codes === undefined);
  }

  /** Makes the writes visible; earlier snapshots do not change. */
  publish(): void {
    const changes = this.store.changes();
    this.#version = changes.version;
    this.#catalogue.apply(changes);
    applyChanges(
      this.#entities,
      changes.entities.map(({ segments }) => segments),
    );
  }

  count(query: FacetQuery): Promise<FacetCounts> {
    return answerQuery(query, this.#catalogue, async (job) => this.#run(job));
  }

  countRecords(query: Pick<RecordQuery, 'entity' | 'where'>): number {
    return this.#run(planRecords(query, this.#catalogue).job)[0] ?? 0;
  }

  /**
   * @param threads among which the segments are divided
   * @param rest so many records that are not wanted may be found
   */
  async firstRecords(query: Omit<FirstRecordsQuery, 'version'>, threads = 1, rest = 1_000) {
    const { job } = planFirst(query, this.#catalogue);
    const segments = this.#entities[job.entity] ?? [];
    const skipping = await skipFirst(job, query.skip, rest, async (ranked) => {
      const stored = storedRanks(ranked, this.#catalogue);
      if (stored !== undefined) return stored;
      let slot = 0;
      const { counts } = rankSegments(segments, ranked, () => slot++);
      return counts ?? new Uint32Array(rankCount(ranked));
    });
    const start = startOf(skipping.start, this.#catalogue);
    const { job: finding } = skipping;
    if (finding === undefined) return { ids: undefined, isAll: false, start };
    const shares = Array.from({ length: threads }, (_, thread) => {
      let next = thread;
      const take = () => {
        next += threads;
        return next - threads;
      };
      return firstOfSegments(segments, finding, take).counts;
    });
    const [first, ...others] = shares.filter((share) => share !== undefined);
    const merge = (all: typeof EMPTY, share: typeof EMPTY) => mergeFirst(finding, all, share);
    return { ...readFirst(others.reduce(merge, first ?? EMPTY), finding), start };
  }

  #run(job: CountJob): Uint32Array {
    let next = 0;
    const segments = this.#entities[job.entity] ?? [];
    const { counts } = countSegments(segments, job, () => next++, this.#options);
    return counts ?? new Uint32Array(countsLength(job));
  }

  /** The segments as a reader has them now. */
  snapshot(entity: number): Segments {
    return [...(this.#entities[entity] ?? [])];
  }
}

const EMPTY = new Uint32Array(0);
