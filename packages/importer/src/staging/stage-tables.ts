import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { type Column, LINE_COLUMNS, layout } from './layout.ts';

/** Tables that are filled beside those of the record types. */
const EXTRA_TABLES = ['listed', 'origin', 'refused'] as const;
export type ExtraTable = (typeof EXTRA_TABLES)[number];
export const isExtraTable = (table: string): table is ExtraTable =>
  EXTRA_TABLES.some((name) => name === table);

/** The tables of one run: one a record type that occurs, and those of the checks. */
export class StageTables {
  readonly #prefix: string;
  readonly #types = new Set<RecordType>();

  private constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /**
   * Makes room for a run, and drops what killed runs of the same role left. The caller holds the import lock, so
   * nobody else's tables are in use.
   */
  static async open(client: pg.ClientBase): Promise<StageTables> {
    await dropLeftOvers(client);
    const tables = new StageTables(`venture_import.r${randomBytes(4).toString('hex')}_`);
    await tables.create(client, 'listed', [
      { name: 'n', type: 'bigint' },
      { name: 'fund_id', type: 'uuid' },
      { name: 'person_id', type: 'uuid' },
      { name: 'lead', type: 'boolean' },
    ]);
    // Rows that a mapping made lines of, by the number of the first line that may need them.
    await tables.create(client, 'origin', [
      { name: 'n', type: 'bigint' },
      { name: 'original', type: 'text' },
    ]);
    // Records of lines that were rejected before they were staged: what refers to them says so.
    await tables.create(client, 'refused', [
      { name: 'id', type: 'uuid' },
      { name: 'file', type: 'integer' },
      { name: 'line', type: 'bigint' },
    ]);
    await tables.create(client, 'rejection', [
      { name: 'type', type: 'text' },
      { name: 'n', type: 'bigint' },
      { name: 'reason', type: 'text' },
      { name: 'field', type: 'text' },
    ]);
    return tables;
  }

  /** The types lines were staged of. */
  get types(): readonly RecordType[] {
    return [...this.#types];
  }

  has(type: RecordType): boolean {
    return this.#types.has(type);
  }

  /** The name of one of the run's tables, for use in SQL as it stands. */
  name(table: string): string {
    return this.#prefix + table;
  }

  async create(client: pg.ClientBase, table: string, columns: readonly Column[]): Promise<void> {
    const list = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    await client.query(
      `CREATE UNLOGGED TABLE ${this.name(table)} (${list}) WITH (autovacuum_enabled = false)`,
    );
  }

  /** The staging table of a type, made when the first line of the type comes. */
  async addType(client: pg.ClientBase, type: RecordType): Promise<void> {
    if (this.#types.has(type)) return;
    const own = layout(type).parts.flatMap(({ staged }) => staged);
    await this.create(client, type, [...LINE_COLUMNS, ...own, { name: 'fate', type: 'smallint' }]);
    this.#types.add(type);
  }

  /** The statement that fills a table. */
  copyInto(table: RecordType | ExtraTable): string {
    if (isExtraTable(table)) return `COPY ${this.name(table)} FROM STDIN`;
    const own = layout(table).parts.flatMap(({ staged }) => staged);
    const columns = [...LINE_COLUMNS, ...own].map(({ name }) => name).join(', ');
    return `COPY ${this.name(table)} (${columns}) FROM STDIN`;
  }

  /** To be called once everything is staged: what the checks and the applying search by. */
  async index(client: pg.ClientBase): Promise<void> {
    for (const type of this.#types) {
      await client.query(`CREATE INDEX ON ${this.name(type)} (at, behind, n)`);
      await client.query(`ANALYZE ${this.name(type)}`);
    }
    for (const table of EXTRA_TABLES) {
      const key = table === 'refused' ? 'id' : 'n';
      await client.query(`CREATE INDEX ON ${this.name(table)} (${key})`);
      await client.query(`ANALYZE ${this.name(table)}`);
    }
  }

  async drop(client: pg.ClientBase): Promise<void> {
    await dropTables(client, this.#prefix.replace('venture_import.', ''));
  }
}

async function dropLeftOvers(client: pg.ClientBase): Promise<void> {
  await dropTables(client, 'r');
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
