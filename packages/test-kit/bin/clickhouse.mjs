// The tests of the copy in ClickHouse: `npm run clickhouse`, or `npm run clickhouse -- PATTERN…` for some of them. npm
// installs the engine (chdb, half a gigabyte) once into a folder for temporary files, because no other test needs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PATTERNS = [
  'clickhouse',
  'data-api/test/aggregates/engines',
  'data-api/test/categories/(engines|counts)',
];
const versions = fileURLToPath(new URL('../clickhouse/package.json', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const digest = createHash('sha256').update(readFileSync(versions)).digest('hex').slice(0, 12);
const folder = process.env.VCDS_CLICKHOUSE || join(tmpdir(), `vcds-clickhouse-engine-${digest}`);
mkdirSync(folder, { recursive: true });
if (!existsSync(join(folder, 'node_modules/chdb'))) {
  cpSync(versions, join(folder, 'package.json'));
  run('npm', ['install', '--no-audit', '--no-fund'], folder);
}
const words = process.argv.slice(2);
run('npm', ['run', '--silent', 'jest', '--', ...(words.length > 0 ? words : PATTERNS)], root);

function run(command, args, cwd) {
  const env = { ...process.env, VCDS_CLICKHOUSE: folder };
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
