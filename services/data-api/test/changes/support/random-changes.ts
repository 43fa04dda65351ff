import { randomUUID } from 'node:crypto';
import { Random } from '@vcds/demo-data/random';
import pg from 'pg';

/** The ids of the records that random changes add and change. */
interface Pool {
  readonly startup: string[];
  readonly fund: string[];
  readonly person: string[];
  readonly funding_round: string[];
  readonly post_valuation: string[];
  readonly news: string[];
}
type Table = keyof Pool;

const TABLES: readonly Table[] = [
  ...(['startup', 'fund', 'person', 'funding_round', 'post_valuation', 'news'] as const),
];
const NAMES = ['Acme', 'Beta', 'Čapek', 'Delta', 'acme'];
const PLACES = [
  '[]',
  '[{"City": "Paris", "Country": "France"}]',
  '[{"City": "Graz", "Country": "Austria"}, {"City": "Paris", "Country": "France", "Street": "1"}]',
];
const DATES = ['2020-01-01', '2021-06-30', '2024-12-31', null];
const RELATIONS = ['round_investor', 'holding', 'startup_person', 'fund_person'] as const;

/** Columns that writers change, with values. */
const COLUMNS: Readonly<Record<Table | (typeof RELATIONS)[number], Record<string, unknown[]>>> = {
  startup: {
    name: NAMES,
    website: ['https://a.example', 'https://b.example/x', null],
    description: ['one', 'two', null],
    tags: [[], ['Fintech'], ['Fintech', 'AI/ML']],
    addresses: PLACES,
    total_raised_reported: [null, 1_000, 2_000_000],
    members_count: [null, 0, 12, 5_000],
    next_funding_stage_stated: [null, 4],
    operating_status_stated: [null, 'Active', 'Closed'],
    source_key: ['a', 'b'],
  },
  fund: {
    name: NAMES,
    website: ['https://f.example', null],
    addresses: PLACES,
    investment_stages: [[], [3, 4]],
    groups: [[], ['Top']],
    members_count: [null, 30],
  },
  person: { name: NAMES, title: ['CEO', null], role: ['founder', 'both', null] },
  funding_round: {
    date: DATES,
    amount: [null, 500, 1_000_000],
    stage: [null, 3, 4],
    series: ['Seed', 'Series A', null],
    confirmed: [true, false],
  },
  post_valuation: { date: DATES, amount: [null, 7_000_000], estimated: [true, false] },
  news: { title: NAMES, date: DATES, publisher: ['Daily', null] },
  round_investor: { lead: [true, false] },
  holding: { status: ['Held', 'Exited', 'Acquired'], first_investment_date: DATES },
  startup_person: { title: ['CTO', null] },
  fund_person: { title: ['Partner', null] },
};

/** Random writes of every kind on every table of records, by SQL, and merges and splits. */
export class RandomChanges {
  readonly #pool: Pool = {
    ...{ startup: [], fund: [], person: [], funding_round: [], post_valuation: [], news: [] },
  };
  #random = new Random(0, 0);
  /** Transactions that were committed, and that a deadlock or a constraint ended. */
  committed = 0;
  failed = 0;

  /** Other changes of the same records. */
  reseed(seed: number): void {
    this.#random = new Random(seed, 0);
  }

  /** One transaction of up to `changesMax` changes. */
  async transaction(client: pg.ClientBase, changesMax: number): Promise<void> {
    const kept: [Table, string][] = [];
    try {
      await client.query('BEGIN');
      if (this.#chance(0.3)) await client.query(`SET LOCAL venture.derive = 'later'`);
      for (let left = 1 + this.#below(changesMax); left > 0; left--)
        await this.#change(client, kept);
      await client.query('SELECT venture.keep_due()');
      const isKept = this.#chance(0.95);
      await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
      if (!isKept) return;
      for (const [table, id] of kept) this.#pool[table].push(id);
      this.committed += 1;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!(error instanceof pg.DatabaseError)) throw error;
      this.failed += 1;
      // Deadlocks, relations that exist, and records of one that does not.
      if (!['40P01', '23505', '23503', '23502'].includes(error.code ?? '')) throw error;
    }
  }

  async #change(client: pg.ClientBase, kept: [Table, string][]): Promise<void> {
    const dice = this.#random.unit();
    const table = this.#one(TABLES);
    if (this.#pool[table].length < 6 || dice < 0.15) {
      const id = randomUUID();
      if (await this.#insert(client, table, id)) kept.push([table, id]);
    } else if (dice < 0.3) await this.#relate(client);
    else if (dice < 0.5) await this.#deleteOrRestore(client, table);
    else if (dice < 0.6) await this.#changeRelation(client);
    else if (dice < 0.65) await this.#mergeOrSplit(client);
    else await this.#update(client, table);
  }

  async #insert(client: pg.ClientBase, table: Table, id: string): Promise<boolean> {
    const startup = this.#some('startup');
    const owned = ['funding_round', 'post_valuation'].includes(table);
    if (owned && startup === undefined) return false;
    const columns: Record<string, unknown> = { id };
    if (owned) columns.startup_id = startup;
    if (table === 'news') {
      columns.startup_id = this.#chance(0.7) ? startup : null;
      columns.fund_id = this.#chance(0.5) ? this.#some('fund') : null;
    }
    for (const [name, values] of Object.entries(COLUMNS[table])) {
      if (name !== 'source_key') columns[name] = this.#one(values);
    }
    await insert(client, table, columns);
    return true;
  }

  async #relate(client: pg.ClientBase): Promise<void> {
    const [startup, fund, person, round] = [
      ...[this.#some('startup'), this.#some('fund'), this.#some('person')],
      this.#some('funding_round'),
    ];
    const relation = this.#one(RELATIONS);
    const columns = {
      round_investor: this.#chance(0.6)
        ? { round_id: round, fund_id: fund }
        : { round_id: round, person_id: person },
      holding: { fund_id: fund, startup_id: startup },
      startup_person: { startup_id: startup, person_id: person },
      fund_person: { fund_id: fund, person_id: person },
    }[relation];
    if (Object.values(columns).includes(undefined)) return;
    await insert(client, relation, columns, 'ON CONFLICT DO NOTHING');
  }

  async #changeRelation(client: pg.ClientBase): Promise<void> {
    const relation = this.#one(RELATIONS);
    const where = `ctid = ANY (ARRAY(SELECT ctid FROM venture.${relation}
      ORDER BY md5(created_at::text || $1) LIMIT 2))`;
    if (this.#chance(0.5)) {
      const isGone = this.#chance(0.5) ? 'now()' : 'NULL';
      await client.query(`UPDATE venture.${relation} SET deleted_at = ${isGone} WHERE ${where}`, [
        String(this.#random.unit()),
      ]);
      return;
    }
    const [name, values] = this.#one(Object.entries(COLUMNS[relation]));
    await client.query(`UPDATE venture.${relation} SET ${name} = $2 WHERE ${where}`, [
      String(this.#random.unit()),
      this.#one(values),
    ]);
  }

  async #mergeOrSplit(client: pg.ClientBase): Promise<void> {
    const table = this.#one(['startup', 'fund'] as const);
    const ids = this.#several(table);
    const companies = ids.map(() => this.#one(ids));
    await client.query('SELECT venture.cluster_companies($1::smallint, $2, $3)', [
      ...[table === 'startup' ? 1 : 2, ids, companies],
    ]);
  }

  async #deleteOrRestore(client: pg.ClientBase, table: Table): Promise<void> {
    const isGone = this.#chance(0.5) ? 'now()' : 'NULL';
    await client.query(`UPDATE venture.${table} SET deleted_at = ${isGone} WHERE id = ANY ($1)`, [
      this.#several(table),
    ]);
  }

  async #update(client: pg.ClientBase, table: Table): Promise<void> {
    const isMoved = ['funding_round', 'post_valuation', 'news'].includes(table);
    if (isMoved && this.#chance(0.2)) {
      await client.query(`UPDATE venture.${table} SET startup_id = $1 WHERE id = ANY ($2)`, [
        this.#some('startup'),
        this.#several(table),
      ]);
      return;
    }
    const [name, values] = this.#one(Object.entries(COLUMNS[table]));
    await client.query(`UPDATE venture.${table} SET ${name} = $1 WHERE id = ANY ($2)`, [
      this.#one(values),
      this.#several(table),
    ]);
  }

  #several(table: Table): string[] {
    const ids = Array.from({ length: 1 + this.#below(3) }, () => this.#some(table) ?? '');
    return [...new Set(ids)].filter((id) => id !== '').sort();
  }

  #some(table: Table): string | undefined {
    return this.#pool[table][this.#below(this.#pool[table].length)];
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  #below(end: number): number {
    return Math.floor(this.#random.unit() * end);
  }

  #chance(share: number): boolean {
    return this.#random.unit() < share;
  }
}

async function insert(
  client: pg.ClientBase,
  table: string,
  columns: Readonly<Record<string, unknown>>,
  end = '',
): Promise<void> {
  const names = Object.keys(columns);
  await client.query(
    `INSERT INTO venture.${table} (${names.join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) ${end}`,
    Object.values(columns),
  );
}
