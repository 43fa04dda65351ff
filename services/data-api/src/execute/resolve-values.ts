/** What is looked up of a category request before anything is read: values, and the fold of `q`. */
import { type Dimension, ENTITIES, ENTITY_IDS } from '../dimensions/index.ts';
import type { PlannedNarrowing } from '../plan/category-plan.ts';
import { unknownValue } from '../plan/plan-narrowing.ts';
import type { Database } from './database.ts';
import { SqlValues } from './sql-values.ts';
import type { Statement } from './statement.ts';

/** How long a value that occurred is taken to occur still. */
const KNOWN_MS = 60_000;
const KNOWN_MAX = 20_000;
const NEARBY_MAX = 50;

interface Wanted {
  readonly dimension: Dimension;
  readonly parameter: string;
  readonly value: string;
}

/** Looks up whether values occur; remembers for a minute those that do. */
export class ValueResolver {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #knownUntilMs = new Map<string, number>();

  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /**
   * Makes sure that every value occurs (decisions §3, §5). Those of closed dimensions always do.
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
        throw unknownValue(each.dimension, each.parameter, each.value, await this.#near(each));
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
    const [row] = await this.#database.rows<{ known: boolean }>(occurring(wanted));
    return row?.known === true;
  }

  async #near({ dimension, value }: Wanted): Promise<readonly string[]> {
    const rows = await this.#database.rows<{ value: string }>(nearbyStatement(dimension, value));
    return rows.map((row) => row.value);
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
  WHERE c.entity = ANY ('{${ENTITY_IDS.map((id) => ENTITIES[id].number).join(',')}}')
    AND c.code = d.code AND c.count > 0)`;

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
    return `SELECT FROM ${ENTITIES[entity].table} r WHERE ${has} AND r.deleted_at IS NULL`;
  });
  const text = `WITH hit AS MATERIALIZED (${hits.join(' UNION ALL ')})
    SELECT EXISTS (SELECT FROM hit) AS known`;
  return { text, values: values.values, recurs: false };
}

// The nearest years; of texts the most similar, else the most common.
function nearbyStatement(dimension: Dimension, value: string): Statement {
  const values = new SqlValues();
  const number = values.add(dimension.number, 'smallint');
  const wanted = values.add(value, 'text');
  const common = `(SELECT max(c.count) FROM venture.facet_count c WHERE c.code = d.code)`;
  const text =
    dimension.kind === 'bucketed'
      ? `SELECT d.value FROM venture.dimension_value d
        WHERE d.dimension = ${number} AND ${IS_COUNTED}
        ORDER BY abs(d.value::int - ${wanted}::int), d.value LIMIT ${NEARBY_MAX}`
      : `WITH alike AS MATERIALIZED (
          SELECT d.value, venture.similarity(d.folded, venture.fold(${wanted})) AS nearness
          FROM venture.dimension_value d
          WHERE d.dimension = ${number} AND ${IS_COUNTED}
            AND d.folded OPERATOR(venture.%) venture.fold(${wanted}))
        SELECT value FROM (
          SELECT value, nearness FROM alike
          UNION ALL
          (SELECT d.value, ${common} - 1e15 FROM venture.dimension_value d
           WHERE d.dimension = ${number} AND ${IS_COUNTED} AND NOT EXISTS (SELECT FROM alike)
           ORDER BY 2 DESC LIMIT ${NEARBY_MAX})) AS nearest
        ORDER BY nearness DESC, value COLLATE "C" LIMIT ${NEARBY_MAX}`;
  return { text, values: values.values, recurs: false };
}
