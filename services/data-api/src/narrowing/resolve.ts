/** What is looked up of a category request before anything is read: values, and the fold of `q`. */
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

/** How long a value that occurred is taken to occur still: as long as counts may lag behind. */
const KNOWN_MS = 2_000;
const KNOWN_MAX = 20_000;
const NEARBY_MAX = 50;
/** A year further off is hardly the one that was meant. */
const NEAR_YEARS = 10;
/** Trigrams that two values must share; less alike ones are listed, but none is suggested. */
const SIMILARITY_MIN = 0.4;

interface Wanted {
  readonly dimension: Dimension;
  readonly parameter: string;
  readonly value: string;
}

/** Looks up whether values occur; remembers those that do for a moment. */
export class ValueResolver {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #knownUntilMs = new Map<string, number>();

  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /**
   * Makes sure that every value occurs. Those of closed dimensions always do.
   *
   * @throws QueryError `unknown_value` with the nearest ones; ApiError `unavailable`.
   */
  async assertKnown(by: readonly PlannedNarrowing[]): Promise<void> {
    const wanted = by
      .filter(({ dimension }) => dimension.kind !== 'closed')
      .flatMap(({ dimension, parameter, values }) =>
        values.map(({ value }): Wanted => ({ dimension, parameter, value: String(value) })),
      )
      .filter((each) => !this.#isRemembered(each));
    if (wanted.length === 0) return;
    const rows = await this.#database.rows<{ known: boolean }>(counted(wanted));
    for (const [index, each] of wanted.entries()) {
      if (rows[index]?.known !== true && !(await this.#occursNow(each))) {
        throw await this.#unknown(each);
      }
      this.#remember(each);
    }
  }

  /** Text as values are searched: without case and accents. */
  async fold(text: string): Promise<string> {
    const values = new SqlValues();
    const sql = `SELECT venture.fold(${values.add(text, 'text')}) AS folded`;
    const statement = { text: sql, values: values.values, recurs: true };
    const [row] = await this.#database.rows<{ folded: string }>(statement);
    return row?.folded ?? text;
  }

  // Facet counts follow the records; what has come a moment ago is found in the records alone.
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

  // The first of the values that other systems' word stands for that occurs.
  async #synonym({ dimension, parameter, value }: Wanted): Promise<string | undefined> {
    const key = value.toLowerCase() as keyof typeof OPEN_VALUE_SYNONYMS;
    const candidates = OPEN_VALUE_SYNONYMS[key] ?? [];
    if (dimension.kind !== 'open' || candidates.length === 0) return undefined;
    const wanted = candidates.map((each): Wanted => ({ dimension, parameter, value: each }));
    const rows = await this.#database.rows<{ known: boolean }>(counted(wanted));
    return candidates[rows.findIndex(({ known }) => known)];
  }

  #isRemembered(wanted: Wanted): boolean {
    return (this.#knownUntilMs.get(keyOf(wanted)) ?? 0) > this.#nowMs();
  }

  #remember(wanted: Wanted): void {
    if (this.#knownUntilMs.size >= KNOWN_MAX) this.#knownUntilMs.clear();
    this.#knownUntilMs.set(keyOf(wanted), this.#nowMs() + KNOWN_MS);
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
  return { text, values: values.values, recurs: true };
}

// Materialised, so that the planner weighs finding all of them: rare ones come by index, where
// the first of many might have seemed as near in a walk of the table.
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
  return { text, values: values.values, recurs: false };
}

function nearbyStatement({ dimension, value }: Wanted): Statement {
  const values = new SqlValues();
  const number = values.add(dimension.number, 'smallint');
  const wanted = values.add(value, 'text');
  const text = isYearOf(dimension, value)
    ? nearYears(number, wanted)
    : nearTexts(dimension, number, wanted);
  return { text, values: values.values, recurs: false };
}

function nearYears(number: string, wanted: string): string {
  return `SELECT d.value, abs(d.value::int - ${wanted}::int) <= ${NEAR_YEARS} AS alike
    FROM venture.dimension_value d
    WHERE d.dimension = ${number} AND ${IS_COUNTED}
    ORDER BY abs(d.value::int - ${wanted}::int), d.value LIMIT ${NEARBY_MAX}`;
}

// The most similar; where nothing is, the most common among the records it is a fact of.
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
