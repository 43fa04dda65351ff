import { answerQuery } from '../../src/answer-query.ts';
import { Catalogue } from '../../src/catalogue.ts';
import { ColumnStore, type ColumnStoreOptions, type NewValue } from '../../src/column-store.ts';
import { CountCache } from '../../src/count-cache.ts';
import { type CountJob, countsLength } from '../../src/count-job.ts';
import { type CountSegmentsOptions, countSegments } from '../../src/count-segments.ts';
import { planRecords } from '../../src/plan-query.ts';
import type { FacetCounts, FacetQuery, RecordQuery } from '../../src/port.ts';
import { applyChanges, type Segments } from '../../src/segment.ts';
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

/** A UUID as four words. */
export function idWords(id: string): Uint32Array {
  const digits = id.replaceAll('-', '');
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(digits.slice(at, at + 8), 16));
}
