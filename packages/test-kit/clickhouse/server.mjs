// As much of ClickHouse's HTTP interface as its client needs, on the loopback address, over the engine in this
// process (chdb): statements, parameters, settings and inserts. Arguments: the folder of the data, and a port. It prints its address.
import { unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [modules, folder, port = '0'] = process.argv.slice(2);
const { Session } = createRequire(join(modules, 'node_modules/'))('chdb');
const session = new Session(join(folder, 'data'), {
  connectionArgs: ['--mark_cache_size=268435456'],
});
const NO_SETTINGS = new Set(['query', 'query_id', 'database', 'session_id', 'readonly', 'role']);
/** Those of the server alone. */
const OF_SERVER = /^(?:cancel_http|insert_quorum|select_sequential|distributed_|http_|enable_http)/;
let inserts = 0;

const server = createServer(async (request, response) => {
  try {
    const { searchParams } = new URL(request.url, 'http://127.0.0.1');
    const body = await read(request);
    const fields = request.headers['content-type']?.startsWith('multipart/')
      ? await new Response(body, {
          headers: { 'content-type': request.headers['content-type'] },
        }).formData()
      : new Map();
    const all = new Map([...searchParams, ...fields]);
    const sql = all.get('query') ?? body.toString();
    response.setHeader('content-type', 'application/x-ndjson');
    response.end(
      await run(sql, all, fields.size === 0 && searchParams.has('query') ? body : undefined),
    );
  } catch (error) {
    const code = /Code: (\d+)/.exec(error.message)?.[1] ?? '0';
    response.writeHead(500, { 'x-clickhouse-exception-code': code });
    response.end(error.message);
  }
});
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
// A server that was started by a test ends with it.
process.on('disconnect', () => process.exit());

async function run(sql, params, rows) {
  if (rows !== undefined) return insert(sql, rows);
  const bound = sql.replace(/\{(\w+):([A-Za-z()]+)\}/g, (_, name, type) => {
    const raw = params.get(`param_${name}`);
    const value =
      type === 'String'
        ? raw.replace(/\\(.)/g, (__, sign) => ({ t: '\t', n: '\n' })[sign] ?? sign)
        : raw;
    return `CAST('${value.replace(/[\\']/g, '\\$&')}' AS ${type})`;
  });
  const settings = [...params]
    .filter(
      ([name]) => !NO_SETTINGS.has(name) && !name.startsWith('param_') && !OF_SERVER.test(name),
    )
    .map(([name, value]) => `${name} = '${value}'`);
  const isRead = /^\s*(?:SELECT|WITH)\b/i.test(bound) && settings.length > 0;
  const result = await session.queryAsync(
    isRead ? `${bound} SETTINGS ${settings.join(', ')}` : bound,
  );
  return Buffer.from(result.bytes());
}

/** The embedded engine reads rows from a file. */
async function insert(sql, rows) {
  const [, table, format] = /^INSERT INTO (.+) FORMAT (\w+)\s*$/s.exec(sql);
  const path = join(folder, `insert-${inserts++}`);
  writeFileSync(path, rows);
  try {
    await session.queryAsync(`INSERT INTO ${table} SELECT * FROM file('${path}', '${format}')`);
  } finally {
    unlinkSync(path);
  }
  return '';
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
