// Loaded into data-api by `--import`: adds each query of a call that its main thread sends to PostgreSQL to
// the file VCDS_BENCH_STATEMENTS, a line of JSON each.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const file = process.env.VCDS_BENCH_STATEMENTS;
if (isMainThread && file !== undefined) {
  const require = createRequire(
    new URL('../../../services/data-api/package.json', import.meta.url),
  );
  const { Client } = require('pg');
  const query = Client.prototype.query;
  Client.prototype.query = function (...given) {
    // Plain texts begin transactions, or are of background work.
    const [{ text, values = [] }] = given;
    if (/^\s*(?:SELECT|WITH)\b/.test(text))
      appendFileSync(file, `${JSON.stringify({ text, values })}\n`);
    return query.apply(this, given);
  };
}
