/** Look-ups of a category request before credits are held: its values, and the fold of `q`. */
import type { BoundFilter, QueryError } from '@vcds/odata-query';
import {
  type Dimension,
  ENTITIES,
  ENTITY_IDS,
  type EntityId,
  OPEN_VALUE_SYNONYMS,
} from '@vcds/venture-model';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ResourceField } from '../resources/index.ts';
import { spelledValues, TERM_KINDS, withStoredSpellings } from './former-spellings.ts';
import { distinct, isYearOf, type NearbyValues, unknownValue } from './plan.ts';

/** Cache lifetime of a value that occurs, equal to the maximum lag of counts. */
const KNOWN_MS = 2_000;
const KNOWN_MAX = 20_000;
const NEARBY_MAX = 50;
/** No year at a larger distance is suggested. */
const NEAR_YEARS = 10;
/** Minimum trigram similarity of a suggestion; less similar values are only listed. */
const SIMILARITY_MIN = 0.4;

interface Valued {
  readonly dimension: Pick<Dimension, 'number'>;
  readonly value: string;
}

interface Wanted extends Valued {
  readonly dimension: Dimension;
  readonly parameter: string;
}

/** A value that occurs, or that is another spelling of values that do. */
interface Known {
  readonly untilMs: number;
  /** The stored spellings, if the value is another one. */
  readonly stored: readonly string[] | undefined;
}

/** Looks up whether values occur, with a short-lived cache of those that do. */
export class ValueResolver {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #cached = new Map<string, Known>();

  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /**
   * Checks that every value occurs, and replaces other spellings of values by the stored ones.
   * Values of closed dimensions are always valid.
   *
   * @throws QueryError `unknown_value` with the nearest values; ApiError `unavailable`.
   */
  async known(by: readonly PlannedNarrowing[]): Promise<readonly PlannedNarrowing[]> {
    const wanted = by.flatMap(wantedBy);
    await this.#lookUp(wanted);
    for (const each of wanted) {
      if (this.#of(each) !== undefined) continue;
      if (!(await this.#occursNow(each))) throw await this.#unknown(each);
      this.#cache(each, undefined);
    }
    return by.map((narrowing) => this.#withStored(narrowing));
  }

  /** The filter with the stored spelling of each value that is another spelling of one. */
  async spelled(
    filter: BoundFilter<ResourceField> | undefined,
  ): Promise<BoundFilter<ResourceField> | undefined> {
    const values = filter === undefined ? [] : spelledValues(filter);
    if (filter === undefined || values.length === 0) return filter;
    const wanted = values.map(({ dimension, value }) => ({
      dimension: { number: dimension },
      value,
    }));
    await this.#lookUp(wanted);
    if (wanted.every((each) => this.#of(each)?.stored === undefined)) return filter;
    return withStoredSpellings(
      filter,
      ({ dimension, value }) => this.#of({ dimension: { number: dimension }, value })?.stored,
    );
  }

  async #lookUp(all: readonly Valued[]): Promise<void> {
    const wanted = all.filter((each) => this.#of(each) === undefined);
    if (wanted.length === 0) return;
    const rows = await this.#database.rows<{ known: boolean; stored: string[] | null }>(
      looked(wanted),
    );
    for (const [index, each] of wanted.entries()) {
      const { known = false, stored = null } = rows[index] ?? {};
      if (known || stored !== null) this.#cache(each, known ? undefined : (stored ?? undefined));
    }
  }

  #withStored(narrowing: PlannedNarrowing): PlannedNarrowing {
    const { dimension, values } = narrowing;
    const isStored = (value: string | number) =>
      dimension.kind === 'closed' ||
      this.#of({ dimension, value: String(value) })?.stored === undefined;
    if (values.every(({ value }) => isStored(value))) return narrowing;
    const stored = values.flatMap((each) =>
      isStored(each.value)
        ? [each]
        : (this.#of({ dimension, value: String(each.value) })?.stored ?? []).map((value) => ({
            value,
            label: value,
          })),
    );
    return { ...narrowing, values: distinct(stored) };
  }

  /** Text without case and accents, for searches. */
  async fold(text: string): Promise<string> {
    const values = new SqlValues();
    const sql = `SELECT venture.fold(${values.add(text, 'text')}) AS folded`;
    const statement: Statement = { text: sql, values: values.values, plan: 'generic' };
    const [row] = await this.#database.rows<{ folded: string }>(statement);
    return row?.folded ?? text;
  }

  // Facet counts lag behind the records: a new value is found only in the records.
  async #occursNow(wanted: Wanted): Promise<boolean> {
    const { dimension, value } = wanted;
    if (dimension.kind === 'bucketed' && !isYearOf(dimension, value)) return false;
    const [row] = await this.#database.rows<{ known: boolean }>(occurring(wanted));
    return row?.known === true;
  }

  async #unknown(wanted: Wanted): Promise<QueryError> {
    return unknownValue(wanted.dimension, wanted.parameter, wanted.value, await this.#near(wanted));
  }

  async #near(wanted: Wanted): Promise<NearbyValues> {
    const statement = nearbyStatement(wanted);
    const rows = await this.#database.rows<{ value: string; alike: boolean }>(statement);
    return {
      values: rows.map((row) => row.value),
      nearest: rows[0]?.alike === true ? rows[0].value : undefined,
      meant: await this.#synonym(wanted),
    };
  }

  // The first value that occurs among those for which other systems use this word.
  async #synonym({ dimension, parameter, value }: Wanted): Promise<string | undefined> {
    const key = value.toLowerCase() as keyof typeof OPEN_VALUE_SYNONYMS;
    const candidates = OPEN_VALUE_SYNONYMS[key] ?? [];
    if (dimension.kind !== 'open' || candidates.length === 0) return undefined;
    const wanted = candidates.map((each): Wanted => ({ dimension, parameter, value: each }));
    const rows = await this.#database.rows<{ known: boolean }>(counted(wanted));
    return candidates[rows.findIndex(({ known }) => known)];
  }

  #of(value: Valued): Known | undefined {
    const known = this.#cached.get(keyOf(value));
    return known !== undefined && known.untilMs > this.#nowMs() ? known : undefined;
  }

  #cache(value: Valued, stored: readonly string[] | undefined): void {
    if (this.#cached.size >= KNOWN_MAX) this.#cached.clear();
    this.#cached.set(keyOf(value), { untilMs: this.#nowMs() + KNOWN_MS, stored });
  }
}

function wantedBy({ dimension, parameter, values }: PlannedNarrowing): readonly Wanted[] {
  if (dimension.kind === 'closed') return [];
  return values.map(({ value }) => ({ dimension, parameter, value: String(value) }));
}

function keyOf({ dimension, value }: Valued): string {
  return `${dimension.number} ${value}`;
}

const IS_COUNTED = `EXISTS (SELECT FROM venture.facet_count c
  WHERE c.entity = ANY (${numbersOf(ENTITY_IDS)}) AND c.code = d.code AND c.count > 0)`;

const OCCURS = `EXISTS (SELECT FROM venture.dimension_value d
  WHERE d.dimension = w.dimension AND d.value = w.value AND ${IS_COUNTED})`;

/** Of each value, whether it occurs. */
function counted(wanted: readonly Valued[]): Statement {
  return ofEach(wanted, `${OCCURS} AS known`);
}

/**
 * Of each value, whether it occurs, and the labels of the terms of which it is another spelling; in
 * two countries a city is two terms.
 */
function looked(wanted: readonly Valued[]): Statement {
  const kinds = [...TERM_KINDS].map(([number, kind]) => `WHEN ${number} THEN '${kind}'`).join(' ');
  return ofEach(
    wanted,
    `${OCCURS} AS known, (SELECT array_agg(DISTINCT t.label) FROM venture.term_spelling s
       JOIN venture.term t USING (kind, country, folded)
       WHERE s.kind = CASE w.dimension ${kinds} END AND s.spelling = w.value
         AND t.label <> s.spelling) AS stored`,
  );
}

function ofEach(wanted: readonly Valued[], columns: string): Statement {
  const values = new SqlValues();
  const dimensions = values.add(
    wanted.map(({ dimension }) => dimension.number),
    'smallint[]',
  );
  const texts = values.add(
    wanted.map(({ value }) => value),
    'text[]',
  );
  const text = `SELECT ${columns}
    FROM unnest(${dimensions}, ${texts}) WITH ORDINALITY AS w(dimension, value, position)
    ORDER BY w.position`;
  return { text, values: values.values, plan: 'generic' };
}

// Materialized, so that the planner estimates the cost of all matches and uses an index for rare
// values. For the first match alone it may choose a sequential scan.
function occurring({ dimension, value }: Wanted): Statement {
  const values = new SqlValues();
  const wanted = values.add(value, dimension.sqlType);
  const hits = dimension.entities.map((entity) => {
    const { sql, many } = dimension.readings[entity];
    const has = many ? `${sql('r')} @> ARRAY[${wanted}]` : `${sql('r')} = ${wanted}`;
    const { table, listed } = ENTITIES[entity];
    return `SELECT FROM ${table} r WHERE ${has} AND ${listed('r')}`;
  });
  const text = `WITH hit AS MATERIALIZED (${hits.join(' UNION ALL ')})
    SELECT EXISTS (SELECT FROM hit) AS known`;
  return { text, values: values.values, plan: 'custom' };
}

function nearbyStatement({ dimension, value }: Wanted): Statement {
  const values = new SqlValues();
  const number = values.add(dimension.number, 'smallint');
  const wanted = values.add(value, 'text');
  const text = isYearOf(dimension, value)
    ? nearYears(number, wanted)
    : nearTexts(dimension, number, wanted);
  return { text, values: values.values, plan: 'custom' };
}

function nearYears(number: string, wanted: string): string {
  return `SELECT d.value, abs(d.value::int - ${wanted}::int) <= ${NEAR_YEARS} AS alike
    FROM venture.dimension_value d
    WHERE d.dimension = ${number} AND ${IS_COUNTED}
    ORDER BY abs(d.value::int - ${wanted}::int), d.value LIMIT ${NEARBY_MAX}`;
}

// The most similar values; if none is similar, the most common ones of the dimension's entities.
function nearTexts({ entities }: Dimension, number: string, wanted: string): string {
  const counted = `FROM venture.dimension_value d CROSS JOIN LATERAL (
      SELECT max(c.count) AS count FROM venture.facet_count c
      WHERE c.entity = ANY (${numbersOf(entities)}) AND c.code = d.code) c
    WHERE d.dimension = ${number} AND c.count > 0`;
  return `WITH alike AS MATERIALIZED (
      SELECT d.value, venture.similarity(d.folded, venture.fold(${wanted})) AS nearness, c.count
      ${counted} AND d.folded OPERATOR(venture.%) venture.fold(${wanted}))
    SELECT value, nearness >= ${SIMILARITY_MIN} IS TRUE AS alike FROM (
      SELECT value, nearness, count FROM alike
      UNION ALL
      SELECT d.value, NULL, c.count ${counted} AND NOT EXISTS (SELECT FROM alike)) AS nearby
    ORDER BY nearness DESC, count DESC, value COLLATE "C" LIMIT ${NEARBY_MAX}`;
}

function numbersOf(entities: readonly EntityId[]): string {
  return `'{${entities.map((id) => ENTITIES[id].number).join(',')}}'`;
}
