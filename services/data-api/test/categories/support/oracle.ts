import type pg from 'pg';
import type { FacetQuery, Narrowing } from '../../../src/categories/facet-schema.ts';
import { readPairs, type ValueRecords } from './oracle-pairs.ts';

/** Values of each dimension that random requests use: common ones and any. */
const SAMPLE = 12;

/** Listed records, including those without a value of any dimension. */
const LISTED = `
  SELECT 'startups' AS entity, count(*)::int AS listed FROM venture.startup WHERE deleted_at IS NULL
  UNION ALL SELECT 'funds', count(*)::int FROM venture.fund WHERE deleted_at IS NULL
  UNION ALL SELECT 'rounds', count(*)::int FROM venture.funding_round r
    JOIN venture.startup s ON s.id = r.startup_id
    WHERE r.deleted_at IS NULL AND s.deleted_at IS NULL`;

/** The reference counts at the time of the read: it evaluates every record. */
export class Oracle {
  readonly #values = new Map<string, ValueRecords[]>();
  readonly #sizes = new Map<string, number>();
  readonly #listed = new Map<string, number>();

  static async read(sql: pg.Pool): Promise<Oracle> {
    const { rows } = await sql.query<{ entity: string; listed: number }>(LISTED);
    return new Oracle(await readPairs(sql), rows);
  }

  private constructor(
    pairs: readonly ValueRecords[],
    listed: readonly { readonly entity: string; readonly listed: number }[],
  ) {
    for (const row of listed) this.#listed.set(row.entity, row.listed);
    for (const pair of pairs) {
      const key = `${pair.entity} ${pair.dimension}`;
      const values = this.#values.get(key) ?? [];
      values.push(pair);
      this.#values.set(key, values);
      const last = pair.records.reduce((most, record) => Math.max(most, record), 0);
      this.#sizes.set(pair.entity, Math.max(this.#sizes.get(pair.entity) ?? 0, last + 1));
    }
  }

  /** Per dimension rows `value: count`, in order. */
  expected({ entity, narrowing, facets }: FacetQuery): Record<string, readonly string[]> {
    return Object.fromEntries(
      facets.map(({ dimension, top, skip, order, search }) => {
        const others = narrowing.filter((each) => each.dimension !== dimension);
        const selected = this.#selected(entity, others);
        const counted = this.#of(entity, dimension)
          .filter(({ folded }) => matches(folded, search))
          .map(({ value, records }) => ({
            value,
            count: records.reduce((sum, record) => sum + (selected[record] ?? 0), 0),
          }))
          .filter(({ count }) => count > 0);
        // The sort is stable: values of the same count keep the order of their labels.
        if (order === 'count') counted.sort((a, b) => b.count - a.count);
        const page = counted.slice(skip, skip + top);
        return [dimension, page.map(({ value, count }) => `${value}: ${count}`)];
      }),
    );
  }

  /** The records that match every narrowing. */
  total({ entity, narrowing }: FacetQuery): number {
    if (narrowing.length === 0) return this.#listed.get(entity) ?? 0;
    return this.#selected(entity, narrowing).reduce((sum, is) => sum + is, 0);
  }

  /** Some of the values of every dimension. */
  sample(): readonly { readonly dimension: string; readonly value: string }[] {
    return [...this.#values.values()].flatMap((values) => {
      const common = values.toSorted((a, b) => b.records.length - a.records.length);
      const step = Math.ceil(values.length / SAMPLE);
      const any = values.filter((_, index) => index % step === 0);
      return [...new Set([...common.slice(0, SAMPLE), ...any])];
    });
  }

  #of(entity: string, dimension: string): readonly ValueRecords[] {
    return this.#values.get(`${entity} ${dimension}`) ?? [];
  }

  /** By record 1 or 0: whether it has a value of each narrowing. */
  #selected(entity: string, narrowing: readonly Narrowing[]): Uint8Array {
    const selected = new Uint8Array(this.#sizes.get(entity) ?? 0).fill(1);
    for (const { dimension, values } of narrowing) {
      const wanted = new Set(values.map(String));
      const has = new Uint8Array(selected.length);
      for (const { value, records } of this.#of(entity, dimension)) {
        if (wanted.has(value)) for (const record of records) has[record] = 1;
      }
      selected.forEach((is, record) => {
        if (is === 1 && has[record] === 0) selected[record] = 0;
      });
    }
    return selected;
  }
}

function matches(folded: string, search: FacetQuery['facets'][number]['search']): boolean {
  if (search === undefined) return true;
  return search.anywhere ? folded.includes(search.text) : folded.startsWith(search.text);
}
