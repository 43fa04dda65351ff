// Drops the databases whose names begin with the argument, on the server of TEST_DATABASE_URL:
// run by the guardian of a test run that was killed.
import pg from 'pg';

const [prefix] = process.argv.slice(2);
const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
await client.connect();
const { rows } = await client.query(
  'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
  [prefix],
);
for (const { name } of rows) {
  await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}
await client.end();
