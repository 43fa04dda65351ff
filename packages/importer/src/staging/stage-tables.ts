import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { type Column, LINE_COLUMNS, layout } from './layout.ts';

/**
 * Tables that are staged beside those of the record types: the investors that rounds list; rows
 * that a mapping made lines of, by the number of the first line that may need them; the records
 * of lines that were rejected before they were staged.
 */
const EXTRA_TABLES = {
  listed: 'n bigint, fund_id uuid, person_id uuid, lead boolean',
  origin: 'n bigint, original text',
  rejected: 'id uuid, file integer, line bigint',
} as const;

/** A table that lines are staged in. */
export type StageTable = RecordType | keyof typeof EXTRA_TABLES;

/** The tables of one run: one for each record type that occurs, and those of the checks. */
export class StageTables {
  /** The session that stages and checks. */
  readonly client: pg.ClientBase;
  readonly #prefix: string;
  readonly #types = new Set<RecordType>();
  #isAnyMerged = false;
  /** Types whose table had no rows when their first line was staged. */
  readonly #filled = new Set<RecordType>();

  private constructor(client: pg.ClientBase, prefix: string) {
    this.client = client;
    this.#prefix = prefix;
  }

  /**
   * Creates the tables of a run, and drops those of killed runs of the same role. The caller holds
   * the import lock, so no other run uses them.
   */
  static async open(client: pg.ClientBase): Promise<StageTables> {
    await dropTables(client, 'r');
    const tables = new StageTables(client, `r${randomBytes(4).toString('hex')}_`);
    for (const [table, columns] of Object.entries(EXTRA_TABLES)) {
      await tables.create(table, columns);
    }
    await tables.create('rejection', 'type text, n bigint, reason text, field text');
    return tables;
  }

  /** Whether any company was merged when the check of the lines began. */
  get isAnyMerged(): boolean {
    return this.#isAnyMerged;
  }

  /** Looks up whether companies are merged. */
  async findMerged(): Promise<void> {
    this.#isAnyMerged = await this.any('venture.company_member');
  }

  /** The types of the staged lines. */
  get types(): readonly RecordType[] {
    return [...this.#types];
  }

  has(type: RecordType): boolean {
    return this.#types.has(type);
  }

  /**
   * The columns of a type that PostgreSQL computes while it stages lines: reading and validating the
   * next ones takes longer. None if the table has rows, because many lines may change nothing.
   */
  computed(type: RecordType): readonly Column[] {
    return this.#filled.has(type) ? layout(type).computed : [];
  }

  /** The name of one of the run's tables, for SQL. */
  name(table: string): string {
    return `venture_import.${this.#prefix}${table}`;
  }

  async create(table: string, columns: string): Promise<void> {
    await this.client.query(
      `CREATE UNLOGGED TABLE ${this.name(table)} (${columns}) WITH (autovacuum_enabled = false)`,
    );
  }

  /**
   * Creates a table of the rows that a query selects, and its statistics.
   *
   * @returns the number of rows.
   */
  async createAs(table: string, select: string): Promise<number> {
    const name = this.name(table);
    const { rowCount } = await this.client.query(`CREATE UNLOGGED TABLE ${name} AS ${select}`);
    await this.client.query(`ANALYZE ${name}`);
    return rowCount ?? 0;
  }

  /** Whether a query `SELECT … FROM {from}` has a row. */
  async any(from: string): Promise<boolean> {
    const { rows } = await this.client.query(`SELECT FROM ${from} LIMIT 1`);
    return rows.length > 0;
  }

  /** The statement that fills a table; creates the table of a type for its first line. */
  async copyInto(table: StageTable): Promise<string> {
    if (isExtraTable(table)) return `COPY ${this.name(table)} FROM STDIN`;
    const columns = columnsOf(table);
    if (!this.#types.has(table)) {
      if (!(await this.any(`venture.${layout(table).table}`))) this.#filled.add(table);
      const list = [...columns, ...this.computed(table)]
        .map(({ name, type }) => `${name} ${type}`)
        .join(', ');
      await this.create(table, `${list}, outcome smallint, routed boolean`);
      this.#types.add(table);
    }
    return `COPY ${this.name(table)} (${columns.map(({ name }) => name).join(', ')}) FROM STDIN`;
  }

  /** Creates the indexes that the later steps use, when everything is staged. */
  async index(): Promise<void> {
    const index = async (table: string, columns: string, analyzed: string) => {
      await this.client.query(`CREATE INDEX ON ${this.name(table)} (${columns})`);
      await this.client.query(`ANALYZE ${this.name(table)} (${analyzed})`);
    };
    for (const type of this.#types) {
      await index(type, 'at, behind, n', `${comparedColumns(type).join(', ')}, outcome`);
    }
    await index('listed', 'n', 'n, fund_id, person_id');
    await index('origin', 'n', 'n');
    await index('rejected', 'id', 'id');
  }

  async drop(): Promise<void> {
    await dropTables(this.client, this.#prefix);
  }
}

function isExtraTable(table: string): table is keyof typeof EXTRA_TABLES {
  return Object.hasOwn(EXTRA_TABLES, table);
}

function columnsOf(type: RecordType): readonly Column[] {
  return [...LINE_COLUMNS, ...layout(type).parts.flatMap(({ staged }) => staged)];
}

/** The columns that the checks compare and join: statistics of long values take much longer. */
function comparedColumns(type: RecordType): readonly string[] {
  return columnsOf(type)
    .filter((column) => !/^text|^jsonb|\[\]$/u.test(column.type))
    .map(({ name }) => name);
}

async function dropTables(client: pg.ClientBase, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('venture_import.%I', tablename) AS name FROM pg_tables
     WHERE schemaname = 'venture_import' AND starts_with(tablename, $1)
       AND pg_has_role(tableowner, 'USAGE')`,
    [prefix],
  );
  if (rows.length === 0) return;
  await client.query(`DROP TABLE ${rows.map(({ name }) => name).join(', ')}`);
}
