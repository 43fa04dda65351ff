/** Look-ups of a category request before credits are held: its values, and the fold of `q`. */
import type { QueryError } from '@vcds/odata-query';
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
import { isYearOf, type NearbyValues, unknownValue } from './plan.ts';

/** Cache lifetime of a value that occurs, equal to the maximum lag of counts. */
const KNOWN_MS = 2_000;
const KNOWN_MAX = 20_000;
const NEARBY_MAX = 50;
/** No year at a larger distance is suggested. */
const NEAR_YEARS = 10;
/** Minimum trigram similarity of a suggestion; less similar values are only listed. */
const SIMILARITY_MIN = 0.4;

interface Wanted {
  readonly dimension: Dimension;
  readonly parameter: string;
  readonly value: string;
}

/** Looks up whether values occur, with a short-lived cache of those that do. */
export class ValueResolver {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #cachedUntilMs = new Map<string, number>();

  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /**
   * Checks that every value occurs. Values of closed dimensions are always valid.
   *
   * @throws QueryError `unknown_value` with the nearest values; ApiError `unavailable`.
   */
  async assertKnown(by: readonly PlannedNarrowing[]): Promise<void> {
    const wanted = by
      .filter(({ dimension }) => dimension.kind !== 'closed')
      .flatMap(({ dimension, parameter, values }) =>
        values.map(({ value }): Wanted => ({ dimension, parameter, value: String(value) })),
      )
      .filter((each) => !this.#isCached(each));
    if (wanted.length === 0) return;
    const rows = await this.#database.rows<{ known: boolean }>(counted(wanted));
    for (const [index, each] of wanted.entries()) {
      if (rows[index]?.known !== true && !(await this.#occursNow(each))) {
        throw await this.#unknown(each);
      }
      this.#cache(each);
    }
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

  #isCached(wanted: Wanted): boolean {
    return (this.#cachedUntilMs.get(keyOf(wanted)) ?? 0) > this.#nowMs();
  }

  #cache(wanted: Wanted): void {
    if (this.#cachedUntilMs.size >= KNOWN_MAX) this.#cachedUntilMs.clear();
    this.#cachedUntilMs.set(keyOf(wanted), this.#nowMs() + KNOWN_MS);
  }
}

function keyOf({ dimension, value }: Wanted): string {
  return `${dimension.number} ${value}`;
}

const IS_COUNTED = `EXISTS (SELECT FROM venture.facet_count c
  WHERE c.entity = ANY (${numbersOf(ENTITY_IDS)}) AND c.code = d.code AND c.count > 0)`;

function counted(wanted: readonly Wanted[]): Statement {
  const values = new SqlValues();
  const dimensions = values.add(
    wanted.map(({ dimension }) => dimension.number),
    'smallint[]',
  );
  const texts = values.add(
    wanted.map(({ value }) => value),
    'text[]',
  );
  const text = `SELECT EXISTS (SELECT FROM venture.dimension_value d
      WHERE d.dimension = w.dimension AND d.value = w.value AND ${IS_COUNTED}) AS known
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
