import { withClient } from '@vcds/test-kit/bench';
import { grouped, table } from '../support/figures.ts';
import type { CorpusSize } from './vocabulary.ts';

/** Values to ask for; each is the first column of its statement. */
const EXAMPLES = {
  'a startup with rounds': `SELECT id FROM venture.startup
    WHERE rounds_count > 2 AND deleted_at IS NULL ORDER BY id LIMIT 1`,
  'most frequent country': occurring('countries', 'DESC'),
  'rarest country': occurring('countries', 'ASC'),
  'most frequent city': occurring('cities', 'DESC'),
  'rarest city': occurring('cities', 'ASC'),
  'most frequent industry': occurring('tags', 'DESC'),
  'rarest industry': occurring('tags', 'ASC'),
  'fund with most investments': `SELECT id, investments_count FROM venture.fund
    WHERE deleted_at IS NULL ORDER BY investments_count DESC LIMIT 1`,
  'largest portfolio': `SELECT fund_id, count(*) FROM venture.holding WHERE deleted_at IS NULL
    GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  'most frequent series': `SELECT series, count(*) FROM venture.funding_round
    WHERE series IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  'most frequent publisher': `SELECT publisher, count(*) FROM venture.news
    WHERE publisher IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
} as const;

/** The values to ask for, by name. */
export type Examples = Readonly<Record<keyof typeof EXAMPLES, string>>;

/** Reads values of a corpus to ask for: the same for the same corpus. */
export async function readExamples(url: string): Promise<Examples> {
  const rows = await readRows(url);
  return Object.fromEntries(rows.map(([name, value]) => [name, value])) as Examples;
}

/** A page about a corpus: how to start it, its tables, values to ask for. */
export async function describeCorpus(url: string, { startups, seed }: CorpusSize): Promise<string> {
  const sizes = await withClient(url, (client) =>
    client.query<{ name: string; rows: string; size: string; all: string }>(`
      SELECT relname AS name, reltuples::bigint AS rows, pg_size_pretty(pg_table_size(oid)) AS size,
        pg_size_pretty(pg_total_relation_size(oid)) AS all
      FROM pg_class WHERE relnamespace = 'venture'::regnamespace AND relkind = 'r' AND reltuples > 0
      ORDER BY pg_total_relation_size(oid) DESC`),
  );
  const rows = sizes.rows.map((row) => [row.name, grouped(Number(row.rows)), row.size, row.all]);
  return [
    `# ${grouped(startups)} startups, seed ${seed}`,
    'PostgreSQL data of benches, in the folder `data`. Superuser `postgres`, password `vcds-bench`,',
    "database `vcds`; the services' roles have the password `vcds-test`.",
    '',
    table(['Table', 'Rows', 'Table size', 'With indexes'], rows),
    '',
    table(['Example', 'Value', 'Records'], await readRows(url), 2),
    '',
  ].join('\n');
}

function occurring(column: 'countries' | 'cities' | 'tags', order: 'ASC' | 'DESC'): string {
  return `SELECT value, count(*) FROM venture.startup, unnest(${column}) AS u(value)
    WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 2 ${order}, 1 LIMIT 1`;
}

async function readRows(url: string): Promise<[name: string, value: string, records: string][]> {
  return withClient(url, async (client) => {
    const found: [string, string, string][] = [];
    for (const [name, text] of Object.entries(EXAMPLES)) {
      const { rows } = await client.query<string[]>({ text, rowMode: 'array' });
      found.push([name, String(rows[0]?.[0] ?? ''), String(rows[0]?.[1] ?? '')]);
    }
    return found;
  });
}
