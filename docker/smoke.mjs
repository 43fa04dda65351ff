// Builds every image, starts each and makes real calls: node docker/smoke.mjs [--no-build] [--keep]
// Needs Docker with Compose. It uses a project, ports and volumes of its own, and deletes them unless --keep is
// given. CI runs it on each push. --no-build tries the images of IMAGE_PREFIX and IMAGE_TAG that exist.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const docker = fileURLToPath(new URL('.', import.meta.url));
const flags = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'vcds-smoke-'));
const [prefix, tag] = [process.env.IMAGE_PREFIX ?? 'vcds-smoke/', process.env.IMAGE_TAG ?? 'local'];
const [data, access] = ['http://127.0.0.1:18580', 'http://127.0.0.1:18581'];
const variables = {
  COMPOSE_PROJECT_NAME: 'vcds-smoke',
  COMPOSE_FILE: join(docker, 'compose.yaml'),
  COMPOSE_ENV_FILES: join(folder, '.env'),
  IMAGE_PREFIX: prefix,
  IMAGE_TAG: tag,
  DATA_API_PORT: '18580',
  ACCESS_API_PORT: '18581',
  IMPORT_DIR: join(folder, 'import'),
  BACKUP_DIR: join(folder, 'backups'),
};

/** Runs a program to its end. @returns its exit code, and its output also while that is shown. */
function run(program, args, { input = '', env = {} } = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...variables, ...env } });
  let out = '';
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    all += text;
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, all }));
  });
}

async function succeed(program, args, options) {
  const result = await run(program, args, options);
  check(result.code === 0, `${program} ${args.join(' ')} ended with ${result.code}\n${result.all}`);
  return result.out;
}

const compose = (...args) => succeed('docker', ['compose', ...args]);
const command = (...args) => compose('run', '--rm', '-T', ...args);
const script = (name, args = [], env = {}) => run('sh', [join(docker, name), ...args], { env });

function check(isTrue, sentence) {
  if (!isTrue) throw new Error(sentence);
}

/** Also what a client of MCP accepts. */
const ACCEPT = 'application/json, text/event-stream, */*';

/** The body of a successful call. */
async function get(url, key, body) {
  const headers = {
    Accept: ACCEPT,
    'Content-Type': 'application/json',
    ...(key ? { 'X-Api-Key': key } : {}),
  };
  const init = body === undefined ? { headers } : { headers, method: 'POST', body };
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
  const text = await response.text();
  check(response.ok, `${url} answered ${response.status}\n${text.slice(0, 500)}`);
  return text;
}

const find = async (name, key) =>
  JSON.parse(await get(`${data}/v2/startups/search?q=${encodeURIComponent(name)}`, key)).some(
    (startup) => startup.Name === name,
  );

const startup = (key, name) =>
  `${JSON.stringify({ type: 'startup', source: 'smoke', key, Name: name })}\n`;

/** Imports lines from standard input. @returns the exit code and the output. */
const ingest = (input) => run('docker', ['compose', 'run', '--rm', '-T', 'ingest', '-'], { input });

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
const CLIENT = { protocolVersion: '2025-06-18', capabilities: {} };
const INITIALIZE = { ...CLIENT, clientInfo: { name: 'smoke', version: '1' } };
/** A session of MCP over standard input. */
const TOOLS = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  LIST,
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

let services;
let key;
const own = { email: `smoke-${process.pid}@example.com`, code: '123456', key: '' };

const STEPS = {
  'builds the images': async () => {
    await Promise.all(['import', 'backups'].map((name) => mkdir(join(folder, name))));
    for (const name of ['.env.example', 'create-env.sh']) {
      await copyFile(join(docker, name), join(folder, name));
    }
    await succeed('sh', [join(folder, 'create-env.sh')]);
    const [, password] = /^REDIS_PASSWORD=(.*)$/m.exec(
      await readFile(join(folder, '.env'), 'utf8'),
    );
    // Without a user name: not every client of Redis reads this form.
    variables.REDIS_URL = `redis://:${password}@redis:6379`;
    const text = await compose('--profile', '*', 'config', '--format', 'json');
    services = Object.entries(JSON.parse(text).services).filter(([, { build }]) => build);
    const asksRegistry = services.filter(([, service]) => service.pull_policy !== 'never');
    check(asksRegistry.length === 0, `a registry is asked for ${asksRegistry.map(String)}`);
    if (flags.includes('--no-build')) return;
    await compose('build', ...services.map(([name]) => name));
  },
  'starts every process, until its health check passes': async () => {
    const processes = services.filter(([, { restart }]) => restart !== 'no');
    check(processes.length >= 4, `only ${processes.length} processes`);
    await compose('up', '--no-build', '--wait', ...processes.map(([name]) => name));
  },
  'runs every command': async () => {
    const commands = services.filter(([, { restart }]) => restart === 'no');
    check(commands.length >= 5, `only ${commands.length} commands`);
    for (const [name] of commands) {
      const usage = await command('--no-deps', name, '--help');
      check(/\b(?:usage|npm run|migrate \[)/i.test(usage), `${name} --help printed ${usage}`);
    }
    await command('demo', '--startups', '600');
    key = JSON.parse(await command('admin', 'demo-key')).api_key;
    await command('matching', 'train');
    check((await command('matching', 'list')).length > 0, 'matching lists no model');
  },
  'imports lines, and says why it rejects one': async () => {
    const good = await ingest(startup('1', 'Solar Before Backup'));
    check(good.code === 0, good.all);
    check(await find('Solar Before Backup', key), 'the imported startup is not found');
    const bad = await ingest('{"type":"startup"}\n');
    check(bad.code === 1 && bad.all.includes('source is missing'), bad.all);
  },
  'answers the calls of README.md, and registers': async () => {
    const readme = await readFile(join(docker, '../README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    const calls = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
    const curls = calls.filter((line) => line.startsWith('curl '));
    check(curls.length >= 5, `README.md has ${curls.length} calls`);
    for (const curl of curls) {
      if (curl.includes('"code"')) own.code = await mailedCode();
      const line = curl
        .replace('curl -s', 'curl -sS --fail-with-body --retry 3 ')
        .replaceAll('http://127.0.0.1:8080', data)
        .replaceAll('http://127.0.0.1:8081', access)
        .replace('ann@example.com', own.email)
        .replace('123456', own.code);
      const answer = await succeed('bash', ['-c', line.replace('--retry 3 G ', '-G ')], {
        env: { KEY: key },
      });
      const body = JSON.parse(answer);
      check(!Array.isArray(body) || body.length > 0, `no record: ${curl}`);
      own.key = body.api_key ?? own.key;
    }
    check(own.key.startsWith('pk_live_'), 'verifying gave no key');
    await get(`${data}/v2/startups?$top=1`, own.key);
    await get(`${data}/v2/venturematching?startup=${await anyStartup()}`, key);
    const tools = await get(`${data}/mcp`, key, JSON.stringify(LIST)).catch(String);
    check(tools.includes('find_company'), `the tools: ${tools}`);
    for (const path of ['/docs/', '/llms.txt', '/account', '/api/v1/openapi.json']) {
      await get(`${access}${path}`);
    }
  },
  'serves the client and the MCP program, which npm installs': async () => {
    const app = join(folder, 'app');
    await mkdir(app);
    await writeFile(join(app, 'package.json'), '{"type":"module"}');
    const { packages } = JSON.parse(await get(`${access}/downloads/`));
    check(packages.length === 2, `${packages.length} packages`);
    await succeed('npm', ['i', '--prefix', app, ...packages.map(({ url }) => url)]);
    const tree = await succeed('npm', ['ls', '--all', '--json', '--prefix', app]);
    check(tree.match(/"@vcds\/\w+": \{/g).length === 2, `other packages of ours: ${tree}`);
    const program = `import { createClient } from '@vcds/client';
      const client = createClient({ apiKey: process.env.KEY, baseUrl: '${data}/v2' });
      console.log((await client.startups.count()).data);`;
    await writeFile(join(app, 'count.js'), program);
    const count = await succeed(process.execPath, [join(app, 'count.js')], { env: { KEY: key } });
    check(Number(count) > 0, `the client counted ${count}`);
    const options = { input: TOOLS, env: { VCDS_API_KEY: key, VCDS_BASE_URL: `${data}/v2` } };
    const tools = await succeed(join(app, 'node_modules/.bin/vcds-mcp'), [], options);
    check(tools.includes('find_company'), `vcds-mcp answered ${tools}`);
  },
  'backs up and restores': async () => {
    const remaining = async () => JSON.parse(await get(`${access}/api/v1/usage`, key)).remaining;
    const backup = await script('backup.sh');
    check(backup.code === 0, backup.all);
    const before = await remaining();
    check((await ingest(startup('2', 'Solar After Backup'))).code === 0, 'no import');
    check(await find('Solar After Backup', key), 'the imported startup is not found');
    const broken = await script('restore.sh', [await cutOffBackup()]);
    check(broken.code !== 0 && broken.all.includes('changed nothing'), broken.all);
    check(await find('Solar After Backup', key), 'a restore that failed changed the data');
    await compose('pause', 'redis');
    const halfDone = await script('restore.sh');
    await compose('unpause', 'redis');
    check(halfDone.code !== 0 && halfDone.all.includes('Run restore.sh again'), halfDone.all);
    check(!(await compose('ps', '--services', '--status', 'running')).includes('api'), 'it serves');
    const restore = await script('restore.sh');
    check(restore.code === 0, restore.all);
    check(await find('Solar Before Backup', key), 'the restored startup is not found');
    check(!(await find('Solar After Backup', key)), 'a record of a later time is there');
    const after = await remaining();
    check(Math.abs(after - before) <= 3, `${before} credits before, ${after} after the restore`);
  },
  'keeps the old version serving while an upgrade fails': async () => {
    const containers = () =>
      compose('ps', '--quiet', 'data-api', 'access-api', 'worker', 'data-worker');
    const before = await containers();
    await buildBroken();
    const upgrade = { isRunning: true };
    const calls = callUntil(() => !upgrade.isRunning);
    const failed = await script('upgrade.sh', ['--no-build'], { IMAGE_TAG: 'broken' });
    upgrade.isRunning = false;
    check(failed.code !== 0 && failed.all.includes('no_such_table'), `no failure: ${failed.all}`);
    check((await calls) > 0, 'no call while upgrading');
    await get(`${data}/v2/startups?$top=1`, key);
    check((await containers()) === before, 'processes were replaced');
    await command('migrate', 'data-api', '--rolled-back', '9999_fails').catch(() => undefined);
    const good = await script('upgrade.sh', ['--no-build']);
    check(good.code === 0, good.all);
    await get(`${data}/v2/startups?$top=1`, own.key);
  },
};

/** The code of the message to the registered address: the log of the mail worker has it. */
async function mailedCode() {
  for (let tries = 0; tries < 100; tries += 1) {
    const log = await compose('logs', '--no-log-prefix', 'worker');
    const [, code] = new RegExp(`Mail to ${own.email}.*?\\b(\\d{6})\\b`).exec(log) ?? [];
    if (code !== undefined) return code;
    await delay(200);
  }
  throw new Error('no message was sent');
}

async function anyStartup() {
  const [first] = JSON.parse(await get(`${data}/v2/startups?$top=1&$select=Id`, key));
  return first.Id;
}

/** A copy of the backup without the end of a dump, but with its checksum. @returns its name. */
async function cutOffBackup() {
  const backups = join(folder, 'backups');
  const [name] = await readdir(backups);
  const copy = join(backups, 'cut-off');
  await cp(join(backups, name), copy, { recursive: true });
  const dump = await readFile(join(copy, 'access.dump'));
  const sums = await readFile(join(copy, 'checksums.sha256'), 'utf8');
  const rest = dump.subarray(0, dump.length / 2);
  const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(copy, 'access.dump'), rest);
  await writeFile(join(copy, 'checksums.sha256'), sums.replace(digest(dump), digest(rest)));
  return 'cut-off';
}

/** Images of the next version, of which a migration fails. */
async function buildBroken() {
  const migrations = '/app/services/data-api/prisma/migrations/9999_fails/';
  await writeFile(join(folder, 'migration.sql'), 'ALTER TABLE venture.no_such_table ADD a int;\n');
  await writeFile(
    join(folder, 'Dockerfile'),
    `FROM ${prefix}migrate:${tag}\nCOPY migration.sql ${migrations}\n`,
  );
  await succeed('docker', ['build', '--quiet', '--tag', `${prefix}migrate:broken`, folder]);
  for (const [name] of services.filter(([, { restart }]) => restart !== 'no')) {
    await succeed('docker', ['tag', `${prefix}${name}:${tag}`, `${prefix}${name}:broken`]);
  }
}

/** Calls data-api until the end; each call must succeed. @returns their number. */
async function callUntil(isOver) {
  let calls = 0;
  for (; !isOver(); calls += 1) {
    await get(`${data}/v2/startups?$top=1`, key);
    await delay(200);
  }
  return calls;
}

let failed = false;
for (const [name, step] of Object.entries(STEPS)) {
  const begun = performance.now();
  try {
    await step();
    console.log(`ok      ${name} (${Math.round((performance.now() - begun) / 1000)} s)`);
  } catch (error) {
    failed = true;
    console.log(`FAILED  ${name}\n${error.message}`);
    console.log((await run('docker', ['compose', 'logs', '--tail', '30'])).all);
    break;
  }
}
if (!flags.includes('--keep')) {
  await run('docker', ['compose', '--profile', '*', 'down', '--volumes', '--remove-orphans']);
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
