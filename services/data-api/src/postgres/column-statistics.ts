/** The statistics of a column; texts are as PostgreSQL writes them. */
export interface ColumnStatistics {
  /** Of the table. */
  readonly rows: number;
  /** Shares of the rows: 0 to 1. */
  readonly nulls: number;
  /** The shares of frequent values; of a column of arrays, of the rows that have a frequent element. */
  readonly frequent: ReadonlyMap<string, number>;
  /** Limits of groups of other values, of equal sizes, ascending; empty if all values are frequent. */
  readonly bounds: readonly string[];
}

/** The statistics of a column: `venture.startup`, `founded`. */
export type StatisticsOf = (table: string, column: string) => ColumnStatistics | undefined;

interface Row {
  readonly name: string;
  readonly rows: number;
  readonly nulls: number;
  readonly values: readonly string[];
  readonly shares: readonly number[];
  readonly bounds: readonly string[];
}

/** Statistics change when PostgreSQL analyzes a table that has changed by a tenth. */
const REFRESH_MS = 600_000;
/** After a read that failed or found none. */
const RETRY_MS = 10_000;

// A few hundred columns with at most 1,000 values each. Filters compare the order of these types only.
const TEXT = `SELECT format('%s.%s.%s', s.schemaname, s.tablename, s.attname) AS name,
    c.reltuples AS rows, s.null_frac AS nulls,
    coalesce(s.most_common_elems::text::text[], s.most_common_vals::text::text[], '{}') AS values,
    coalesce(s.most_common_elem_freqs, s.most_common_freqs, '{}') AS shares,
    CASE WHEN a.atttypid = ANY ('{int2,int4,int8,float8,date,timestamptz}'::regtype[])
      THEN coalesce(s.histogram_bounds::text::text[], '{}') ELSE '{}' END AS bounds
  FROM pg_stats AS s
  JOIN pg_attribute AS a ON a.attname = s.attname
    AND a.attrelid = format('%I.%I', s.schemaname, s.tablename)::regclass
  JOIN pg_class AS c ON c.oid = a.attrelid
  WHERE s.schemaname = 'venture'`;

/**
 * A copy of the statistics that the planner uses, read again at use every ten minutes. Old or missing
 * ones change how statements are planned, never their results.
 */
export class StatisticsCopy {
  readonly #read: (text: string) => Promise<{ readonly rows: readonly object[] }>;
  #columns: ReadonlyMap<string, ColumnStatistics> = new Map();
  #readAtMs = Number.NEGATIVE_INFINITY;

  /** @param read runs a statement in a session with the time zone UTC. */
  constructor(read: (text: string) => Promise<{ readonly rows: readonly object[] }>) {
    this.#read = read;
  }

  /** The statistics of a column; undefined until they are known. Starts to read them if they are old. */
  readonly of: StatisticsOf = (table, column) => {
    if (performance.now() - this.#readAtMs > REFRESH_MS) void this.refresh().catch(() => undefined);
    return this.#columns.get(`${table}.${column}`);
  };

  /** Reads the statistics now. If that fails or there are none, they are read again soon. */
  async refresh(): Promise<void> {
    const startedMs = performance.now();
    this.#readAtMs = startedMs - REFRESH_MS + RETRY_MS;
    const rows = (await this.#read(TEXT)).rows as readonly Row[];
    if (rows.length > 0) this.#readAtMs = startedMs;
    this.#columns = new Map(
      rows.map(({ name, values, shares, ...figures }) => [
        name,
        {
          ...figures,
          // The shares of elements are followed by their minimum, maximum and that of nulls.
          frequent: new Map(values.map((value, index) => [value, shares[index] ?? 0])),
        },
      ]),
    );
  }
}
