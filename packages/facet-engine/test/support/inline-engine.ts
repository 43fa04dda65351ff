import { aggregateSegments } from '../../src/aggregate-segments.ts';
import { answerQuery } from '../../src/answer-query.ts';
import { Catalogue } from '../../src/catalogue.ts';
import { ColumnStore, type ColumnStoreOptions, type NewValue } from '../../src/column-store.ts';
import { CountCache } from '../../src/count-cache.ts';
import { type CountJob, countsLength } from '../../src/count-job.ts';
import { type CountSegmentsOptions, countSegments } from '../../src/count-segments.ts';
import { idWords } from '../../src/id-table.ts';
import { markSegments } from '../../src/mark-segments.ts';
import { planAggregate, rowsOf } from '../../src/plan-aggregate.ts';
import { planRecords } from '../../src/plan-query.ts';
import type {
  AggregateQuery,
  Aggregates,
  FacetCounts,
  FacetQuery,
  RecordQuery,
  RelatedNarrowing,
} from '../../src/port.ts';
import { markRelated, type RelatedGroups, relatedIn } from '../../src/related.ts';
import { applyChanges, type Segments } from '../../src/segment.ts';
import { SCHEMA } from './schema.ts';

export interface InlineOptions extends ColumnStoreOptions, CountSegmentsOptions {
  /** Bytes of the count cache; none by default. */
  readonly cacheBytesMax?: number;
  /** Whether memory is reused once the last version published does not contain it. */
  readonly recycles?: boolean;
}

/** A link to a record, with the code of its tag or 0. */
export interface WrittenLink {
  readonly id: string;
  readonly tag: number;
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
    this.store = new ColumnStore(SCHEMA, { acknowledged, ...options });
    const { cacheBytesMax } = options;
    const cache = cacheBytesMax === undefined ? undefined : new CountCache(cacheBytesMax);
    this.#options = { listMax: options.listMax, cache, cachedRecordsMin: 1 };
  }

  addValues(values: readonly NewValue[]): void {
    for (const value of values) this.store.addValue(value);
  }

  write(
    entity: number,
    id: string,
    codes: readonly number[] | undefined,
    links: readonly (readonly WrittenLink[])[] = [],
    figures: readonly (number | null)[] = [],
  ): void {
    const list = Int32Array.from(codes ?? []);
    const store = this.store.entities[entity];
    const linked = links.map((each) => ({
      ids: Uint32Array.from(each.flatMap(({ id: target }) => [...idWords(target)])),
      tags: Int32Array.from(each, ({ tag }) => tag),
      length: each.length,
    }));
    const state = { links: linked, figures: Float64Array.from(figures, (each) => each ?? NaN) };
    store?.apply(idWords(id), list, list.length, codes === undefined, state);
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

  async count(query: FacetQuery): Promise<FacetCounts> {
    const related = await this.#mark(query.entity, query.related ?? []);
    return answerQuery(query, this.#catalogue, async (job) => this.#run(job), related);
  }

  async countRecords(query: RecordQuery): Promise<number> {
    const related = await this.#mark(query.entity, relatedIn(query.where));
    return this.#run(planRecords(query, this.#catalogue, related).job)[0] ?? 0;
  }

  async aggregate(query: AggregateQuery): Promise<Omit<Aggregates, 'asOf'>> {
    const related = await this.#mark(query.entity, relatedIn(query.where));
    const plan = planAggregate(query, this.#catalogue, related);
    let next = 0;
    const segments = this.#entities[plan.job.entity] ?? [];
    const { result } = aggregateSegments(segments, plan.job, () => next++);
    return rowsOf(plan, result, this.#catalogue);
  }

  #mark(entity: string, related: readonly RelatedNarrowing[]): Promise<RelatedGroups> {
    return markRelated(entity, related, this.#catalogue, async (job) => {
      let next = 0;
      const { counts } = markSegments(this.#entities[job.entity] ?? [], job, () => next++);
      return counts?.[0] ?? 0;
    });
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
