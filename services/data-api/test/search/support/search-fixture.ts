import { createLogger } from '@vcds/service-kit';
import { createTestDatabase } from '@vcds/test-kit';
import { websiteForms } from '@vcds/venture-model';
import pg from 'pg';
import { Database } from '../../../src/postgres/database.ts';
import { search } from '../../../src/search/search.ts';
import type { MatchField, SearchRequest } from '../../../src/search/search-request.ts';

/** A record to insert. */
export interface Company {
  readonly type?: 'startup' | 'fund';
  readonly name: string;
  readonly website?: string;
  readonly identifiers?: readonly string[];
  readonly raised?: number;
  readonly deleted?: boolean;
}

/** A match of a search. */
export type Match = Readonly<Record<MatchField, unknown>>;

/** A database of companies, searched as the service does. */
export interface SearchFixture {
  readonly sql: pg.Pool;
  readonly database: Database;
  insert(...companies: readonly Company[]): Promise<void>;
  find(request: Partial<SearchRequest>): Promise<readonly Match[]>;
  /** Names found for a query among startups and funds, best first. */
  names(q: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** Opens a new database with these companies. */
export async function openSearchFixture(
  companies: readonly Company[] = [],
): Promise<SearchFixture> {
  const testDatabase = await createTestDatabase();
  const sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  sql.on('error', () => {});
  const database = new Database({
    connectionString: testDatabase.url,
    connectionsMax: 4,
    statementMsMax: 60_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const find = async (request: Partial<SearchRequest>): Promise<readonly Match[]> => {
    const answer = await search(database, { types: ['startup', 'fund'], top: 10, ...request });
    const matches: Match[] = JSON.parse(answer.body);
    if (matches.length !== answer.records) throw new Error('records is not the count of matches');
    return matches;
  };
  const fixture: SearchFixture = {
    sql,
    database,
    find,
    insert: async (...added) => {
      await insert(
        sql,
        'startup',
        added.filter(({ type }) => type !== 'fund'),
      );
      await insert(
        sql,
        'fund',
        added.filter(({ type }) => type === 'fund'),
      );
    },
    names: async (q) => (await find({ q })).map(({ Name }) => Name),
    close: async () => {
      await database.close();
      await sql.end();
      await testDatabase.drop();
    },
  };
  await fixture.insert(...companies);
  return fixture;
}

async function insert(
  sql: pg.Pool,
  type: 'startup' | 'fund',
  companies: readonly Company[],
): Promise<void> {
  if (companies.length === 0) return;
  const raised = type === 'startup' ? ', total_raised_reported' : '';
  await sql.query(
    `INSERT INTO venture.${type} (name, website, domain, identifiers, deleted_at${raised})
     SELECT n, w, d, string_to_array(i, ' '), CASE WHEN x THEN now() END${raised === '' ? '' : ', r'}
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bool[], $5::bigint[], $6::text[])
       AS u(n, w, d, x, r, i)`,
    [
      companies.map(({ name }) => name),
      companies.map(({ website }) => website ?? null),
      companies.map(({ website }) => websiteForms(website ?? '')?.host ?? null),
      companies.map(({ deleted }) => deleted ?? false),
      companies.map(({ raised: amount }) => amount ?? null),
      companies.map(({ identifiers = [] }) => identifiers.join(' ')),
    ],
  );
}
