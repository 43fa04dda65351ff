// Startups by SAP CAP: an OData V4 service on views of the same tables, in production mode, without
// authentication. A condition on City, a list in PostgreSQL, becomes the operator that its index supports.
import cds from '@sap/cds';
import pg from 'pg';

const { DATABASE_URL, CONNECTIONS } = process.env;
const SCHEMA = 'bench_cap';
const STARTUP =
  'id name website domain description location founded total_raised last_funding_stage ' +
  'next_funding_stage last_funding_date primary_source members_count operating_status rounds_count ' +
  'latest_post_valuation average_round_amount created_at updated_at';
const ROUND =
  'id startup_id date year series stage amount original_amount original_currency confirmed ' +
  'created_at updated_at';
const LISTS = { tags: 'tag', countries: 'country', regions: 'region', exit_statuses: 'status' };

await createViews();
const { hostname: host, port, username: user, password, pathname } = new URL(DATABASE_URL);
Object.assign(cds.env.requires.db, {
  credentials: { host, port: Number(port), user, password, database: pathname.slice(1) },
  client: {
    options: `-c search_path=${SCHEMA},public -c jit=off -c max_parallel_workers_per_gather=0`,
  },
  pool: { min: 0, max: Number(CONNECTIONS), acquireTimeoutMillis: 60_000 },
});
cds.on('served', ({ Bench }) => {
  Bench.prepend(() => Bench.before('READ', 'Startups', ({ query }) => compareCities(query.SELECT)));
});
const server = await cds.server({ port: 0 });
server.once('listening', () => process.send(server.address().port));

/** Replaces City eq 'x' wherever it stands in the condition. */
function compareCities({ where = [] }) {
  for (let at = 0; at < where.length; at += 1) {
    const { ref, xpr } = where[at];
    if (xpr !== undefined) compareCities({ where: xpr });
    if (ref?.at(-1) !== 'City' || where[at + 1] !== '=') continue;
    where.splice(at, 3, { func: 'in_city', args: [{ ref: ['Cities'] }, where[at + 2]] });
  }
}

/** CAP names columns in lower case and lists as JSON. */
async function createViews() {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const plain = (names) =>
    names.split(' ').map((name) => `record.${name} AS ${name.replaceAll('_', '')}`);
  const lists = Object.entries(LISTS).map(([from, to]) => `to_jsonb(record.${from}) AS ${to}`);
  const startup = [
    ...plain(STARTUP),
    ...lists,
    'to_jsonb(record.cities) AS city',
    'record.cities AS cities',
    'record.members_bucket AS memberscountbucket',
    'to_jsonb(computed.investor_names) AS investornames',
  ];
  await client.query(`
    DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE;
    CREATE SCHEMA ${SCHEMA};
    CREATE VIEW ${SCHEMA}.bench_startups AS SELECT ${startup} FROM venture.startup AS record
      LEFT JOIN venture.startup_computed AS computed USING (id) WHERE record.deleted_at IS NULL;
    CREATE VIEW ${SCHEMA}.bench_rounds AS SELECT ${plain(ROUND)} FROM venture.funding_round AS record
      WHERE record.deleted_at IS NULL;
    CREATE FUNCTION ${SCHEMA}.in_city(text[], text) RETURNS boolean
      LANGUAGE sql IMMUTABLE AS 'SELECT $1 @> ARRAY[$2]'`);
  await client.end();
}
