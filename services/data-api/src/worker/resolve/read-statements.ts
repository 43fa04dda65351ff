import { createHash } from 'node:crypto';
import { type Compiled, compile, type EntityNumber, LIST_MAX } from '@vcds/resolution';
import type pg from 'pg';

type Database = Pick<pg.Pool, 'query'>;

/** Statements that are read at once. */
const PAGE = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Row {
  readonly id: string;
  readonly source: string;
  readonly name: string;
  readonly website: string | null;
  readonly isClosed: boolean;
  readonly identifiers: string[];
  readonly addresses: readonly Readonly<Record<string, string | null>>[];
  readonly founded: number | null;
  readonly total: string | null;
  readonly tags: string[];
  readonly description: string | null;
  readonly rounds: { readonly month: string; readonly amount: number | null }[] | null;
  readonly newsDays: string[] | null;
  readonly links: string[] | null;
  readonly people: string[] | null;
  readonly nameHash: number;
}

/** A statement as it is compared, with its digest. */
export interface ReadStatement {
  readonly statement: Compiled;
  /** Of the evidence, as a UUID. */
  readonly digest: string;
  /** Of the name of the record of this id. */
  readonly nameHash: number;
}

/**
 * The rows of a table about a statement `s`. Those of a merged company are in schema `stated`: the rows of the
 * record are of all its statements.
 */
function both(table: string, columns: string, where: string): string {
  const entity = where.startsWith('t.startup_id') ? 1 : 2;
  return `(SELECT ${columns} FROM stated.${table} t WHERE ${where} AND t.deleted_at IS NULL
    UNION SELECT ${columns} FROM venture.${table} t WHERE ${where} AND t.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM venture.company_member m WHERE m.entity = ${entity} AND m.member_id = s.id))`;
}

const list = (value: string, from: string, max: number): string =>
  `(SELECT array_agg(x.v) FROM (SELECT ${value} AS v FROM ${from} LIMIT ${max}) x WHERE x.v IS NOT NULL)`;

const STARTUP = `
  SELECT s.id, (SELECT hashtext(r.name) FROM venture.startup r WHERE r.id = s.id) AS "nameHash", coalesce(s.source, '') AS source, s.name, s.website, s.identifiers, s.addresses,
    s.founded, s.total_raised_reported AS total, s.tags, left(s.description, ${LIST_MAX.descriptionLength}) AS description,
    coalesce(s.operating_status_stated = 'Closed', false) AS "isClosed",
    (SELECT json_agg(json_build_object('month', to_char(r.date, 'YYYY-MM'), 'amount', r.amount))
      FROM (SELECT * FROM ${both('funding_round', 't.id, t.date, t.amount', 't.startup_id = s.id AND t.date IS NOT NULL')} r
        ORDER BY r.date, r.id LIMIT ${LIST_MAX.rounds}) r) AS rounds,
    ${list(`to_char(n.date, 'YYYY-MM-DD')`, `${both('news', 't.date', 't.startup_id = s.id')} n ORDER BY n.date`, LIST_MAX.newsDays)} AS "newsDays",
    ${list('f.name', `${both('holding', 't.fund_id', 't.startup_id = s.id')} h JOIN venture.fund f ON f.id = h.fund_id ORDER BY f.id`, LIST_MAX.links)} AS links,
    ${list(
      'p.name',
      `(${both('startup_person', 't.person_id', 't.startup_id = s.id')}
      UNION SELECT i.person_id FROM ${both('funding_round', 't.id', 't.startup_id = s.id')} r
        JOIN (SELECT round_id, person_id FROM stated.round_investor UNION ALL
          SELECT round_id, person_id FROM venture.round_investor) i ON i.round_id = r.id) h
      JOIN venture.person p ON p.id = h.person_id ORDER BY p.id`,
      LIST_MAX.people,
    )} AS people
  FROM venture.startup_statement s`;

const FUND = `
  SELECT s.id, (SELECT hashtext(r.name) FROM venture.fund r WHERE r.id = s.id) AS "nameHash", coalesce(s.source, '') AS source, s.name, s.website, s.identifiers, s.addresses,
    s.founded, NULL AS total, s.tags, left(s.description, ${LIST_MAX.descriptionLength}) AS description,
    coalesce(s.operating_status_stated = 'Closed', false) AS "isClosed", NULL AS rounds,
    ${list(`to_char(n.date, 'YYYY-MM-DD')`, `${both('news', 't.date', 't.fund_id = s.id')} n ORDER BY n.date`, LIST_MAX.newsDays)} AS "newsDays",
    ${list('c.name', `${both('holding', 't.startup_id', 't.fund_id = s.id')} h JOIN venture.startup c ON c.id = h.startup_id ORDER BY c.id`, LIST_MAX.links)} AS links,
    ${list('p.name', `${both('fund_person', 't.person_id', 't.fund_id = s.id')} h JOIN venture.person p ON p.id = h.person_id ORDER BY p.id`, LIST_MAX.people)} AS people
  FROM venture.fund_statement s`;

const SELECT: Readonly<Record<EntityNumber, string>> = { 1: STARTUP, 2: FUND };

/** All statements of an entity that their sources have not deleted, by ascending id, in pages. */
export async function* allStatements(
  database: Database,
  entity: EntityNumber,
  signal: AbortSignal,
): AsyncGenerator<readonly ReadStatement[]> {
  for (let after: string | null = FIRST; after !== null; ) {
    signal.throwIfAborted();
    // Each statement has a row of its id, and a range of ids is read by the keys of all tables.
    const { rows: ends }: { rows: { id: string }[] } = await database.query(
      `SELECT id FROM venture.${entity === 1 ? 'startup' : 'fund'} WHERE id > $1 ORDER BY id OFFSET ${PAGE - 1} LIMIT 1`,
      [after],
    );
    const { rows } = await database.query<Row>(
      `${SELECT[entity]} WHERE s.id > $1 AND s.id <= $2 AND s.deleted_at IS NULL ORDER BY s.id`,
      [after, ends[0]?.id ?? LAST],
    );
    yield rows.map((row) => readOf(row, entity));
    after = ends[0]?.id ?? null;
  }
}

/** Statements by their ids; those that do not exist or are deleted are left out. */
export async function readStatements(
  database: Database,
  entity: EntityNumber,
  ids: readonly string[],
): Promise<readonly ReadStatement[]> {
  const read: ReadStatement[] = [];
  for (let start = 0; start < ids.length; start += PAGE) {
    const { rows } = await database.query<Row>(
      `${SELECT[entity]} WHERE s.id = ANY ($1::uuid[]) AND s.deleted_at IS NULL ORDER BY s.id`,
      [ids.slice(start, start + PAGE)],
    );
    for (const row of rows) read.push(readOf(row, entity));
  }
  return read;
}

export async function statementsOf(
  database: Database,
  entity: EntityNumber,
  ids: readonly string[],
): Promise<readonly Compiled[]> {
  return (await readStatements(database, entity, ids)).map(({ statement }) => statement);
}

function readOf(row: Row, entity: EntityNumber): ReadStatement {
  const statement = compiled(row, entity);
  const digest = createHash('md5').update(JSON.stringify(statement)).digest('hex');
  return { statement, digest, nameHash: row.nameHash };
}

function compiled(row: Row, entity: EntityNumber): Compiled {
  const { id, source, name, website, isClosed, identifiers, founded, tags, description } = row;
  const places = (part: string): string[] =>
    row.addresses.flatMap((address) => address[part] ?? []).slice(0, LIST_MAX.places);
  return compile({
    ...{ id, entity, source, name, website, identifiers, founded, tags, description },
    siteIsDead: isClosed,
    countries: places('Country'),
    regions: places('Region'),
    cities: places('City'),
    totalRaised: row.total === null ? null : Number(row.total),
    rounds: row.rounds ?? [],
    newsDays: row.newsDays ?? [],
    links: row.links ?? [],
    people: row.people ?? [],
  });
}
