import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { stateFolders } from '@vcds/local-stack';
import { atLength, eventually } from '@vcds/test-kit';
import { leftOver, makeHome, READY, startupIds, stop } from './stack-process.ts';

const home = await makeHome();
afterEach(() => home.stopAll());
afterAll(() => home.remove());

async function startReady() {
  const stack = home.start();
  await stack.until(READY);
  return stack;
}

const untilNoProcessIsLeft = () =>
  eventually(async () => expect(await leftOver(home)).toEqual([]), { intervalMs: 50 });

/** `redis-server` of `/usr/bin/redis-server …`, and `postgres` of `postgres: checkpointer`. */
const nameOf = (command: string) => /^\S*?([\w-]+):?(?: |$)/.exec(command)?.[1];
/** The stack ends some of its programs itself once another has ended. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const namesOf = (processes: readonly { command: string }[]) =>
  [...new Set(processes.map(({ command }) => nameOf(command)))].sort();

describe('failures', () => {
  test('a service that does not start is an error with its output', async () => {
    const stack = home.start([], { FIXTURE_FAILS: 'access-api' });
    expect(await stack.ended).toBe(1);
    expect(stack.output().stderr).toMatch(
      /access-api ended with exit code 1\..*SOME_VARIABLE must be a whole number/s,
    );
    expect(await leftOver(home)).toEqual([]);
  });

  test('a missing database is no error before the first start has created it; a service that exits stops the stack, and the error has the lines of its log that matter', async () => {
    await rm(stateFolders(home.environment).postgres, { recursive: true });
    for (const name of ['redis', 'demo.json']) {
      await rm(join(home.local, name), { recursive: true, force: true });
    }
    const stack = await startReady();
    const port = home.environment.DATA_API_INTERNAL_PORT;
    await fetch(`http://127.0.0.1:${port}/crash`).catch(() => undefined);
    expect(await stack.ended).toBe(1);
    const { stderr } = stack.output();
    expect(stderr).toMatch(
      /data-api ended with exit code 3\..*an early warning.*a detail.*data-api stops unexpectedly/s,
    );
    expect(stderr).not.toContain('"msg":"request"');
    expect(await leftOver(home)).toEqual([]);
  });

  test('a failed import of the demonstration data is an error; a stop does not wait for its end', async () => {
    const failing = home.start(['--fresh'], { FIXTURE_FAILS: 'demo' });
    expect(await failing.ended).toBe(1);
    expect(failing.output().stderr).toMatch(
      /import of demonstration data ended with exit code 4.*the import fails/s,
    );
    const stack = home.start([], { FIXTURE_DEMO_DELAY_MS: '60000' });
    await stack.until(/Importing demonstration data/);
    expect(await stop(stack)).toBe(130);
    expect(await leftOver(home)).toEqual([]);
  });

  test('a killed stack leaves no process; the next one starts, and excludes a second one in its folder; two Ctrl-C, from the terminal and through npm, count as one', async () => {
    const first = await startReady();
    first.process.kill('SIGKILL');
    await first.ended;
    await untilNoProcessIsLeft();
    const second = await startReady();
    expect(await startupIds(home)).toEqual([1, 2, 3]);
    const third = home.start();
    expect(await third.ended).toBe(1);
    expect(third.output().stderr).toContain('Another stack uses this folder already (process');
    expect(second.process.exitCode).toBeNull();
    second.process.kill('SIGINT');
    second.process.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  test('the stores of a stack that was killed with its guardian are stopped by the next start: no two servers write to the same files', async () => {
    const first = await startReady();
    const programs = (await leftOver(home)).filter(({ command }) => nameOf(command) === 'node');
    const isGuardian = ({ command }: { command: string }) => command.includes('guardian.mjs');
    for (const { pid } of programs.filter(isGuardian)) process.kill(pid, 'SIGKILL');
    for (const { pid } of programs.filter((each) => !isGuardian(each))) killIfRunning(pid);
    await first.ended;
    await eventually(async () => !namesOf(await leftOver(home)).includes('node'));
    const stores = await leftOver(home);
    expect(namesOf(stores)).toEqual(['postgres', 'redis-server']);
    const second = await startReady();
    const after = await leftOver(home);
    expect(namesOf(after)).toEqual(['node', 'postgres', 'redis-server']);
    const pids = new Set(after.map(({ pid }) => pid));
    expect(stores.filter(({ pid }) => pids.has(pid))).toEqual([]);
    expect(await stop(second)).toBe(0);
    expect(await leftOver(home)).toEqual([]);
  });

  test.each((['SIGKILL', 'SIGTERM'] as const).slice(0, atLength(1, 2)))(
    'when npm is ended by %s, the stack stops in order',
    async (signal) => {
      const npm = home.startThroughNpm();
      await npm.until(READY);
      npm.process.kill(signal);
      await npm.until(/Stopping PostgreSQL: done/);
      await npm.ended;
      expect(await leftOver(home)).toEqual([]);
    },
  );

  test('a second Ctrl-C ends it at once, and leaves no process', async () => {
    const stack = home.start([], { FIXTURE_STOP_AFTER_MS: '30000' });
    await stack.until(READY);
    stack.process.kill('SIGINT');
    await stack.until(/Stopping data-worker/);
    await delay(1_200);
    stack.process.kill('SIGINT');
    expect(await stack.ended).toBe(130);
    await untilNoProcessIsLeft();
  });
});

describe('a missing database with other state', () => {
  test('is an error with a command that starts with an empty database', async () => {
    // The tests above have left the other state.
    const { postgres } = stateFolders(home.environment);
    await rm(postgres, { recursive: true });
    const stack = home.start();
    expect(await stack.ended).toBe(1);
    const { stderr } = stack.output();
    expect(stderr).toContain(`The database in ${postgres} is missing`);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/npm start -- --fresh$/);
    expect(await leftOver(home)).toEqual([]);
  });
});

describe('npm run dev', () => {
  const serviceFile = () => join(home.local, 'data-api.mjs');
  const helper = new URL('fixtures/service.mjs', import.meta.url).href;

  /** The code of a service that prints `line` when it starts. */
  const write = (line: string) =>
    writeFile(
      serviceFile(),
      `import { serve } from '${helper}';
       serve('data-api', 'DATA_API_INTERNAL_PORT', { banner: '${line}' });`,
    );

  test('restarts a service that was rebuilt or crashed, and stops all of them', async () => {
    await write('first build');
    // The last test has left no database.
    const stack = home.start(['--watch', '--fresh'], { FIXTURE_DATA_API: serviceFile() });
    await stack.until(READY);
    expect(stack.output().stdout).toContain('data-api: first build');
    expect(stack.output().stderr).toContain('compiler: Found 0 errors.');
    await write('second build');
    await stack.until(/data-api: second build/);
    await writeFile(serviceFile(), 'throw new Error("not finished yet");');
    await stack.until(/data-api: .*not finished yet/);
    await write('third build');
    await stack.until(/data-api: third build/);
    expect(await stop(stack)).toBe(0);
    expect(await leftOver(home)).toEqual([]);
  });
});

describe('a busy port', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(Number(home.environment.DATA_API_PORT), '127.0.0.1', resolve);
    });
  });

  afterAll(() => {
    server.close();
  });

  test('is an error with its purpose, its process and its variable', async () => {
    const stack = home.start();
    expect(await stack.ended).toBe(1);
    const { stderr } = stack.output();
    expect(stderr).toContain(`Port ${home.environment.DATA_API_PORT}, for the data API`);
    expect(stderr).toContain(`by process ${process.pid} (`);
    expect(stderr).toMatch(/DATA_API_PORT=\d+ .*npm start$/m);
    expect(await leftOver(home)).toEqual([]);
  });
});

describe('configuration', () => {
  test('every error is a line with its variable', async () => {
    const stack = home.start([], {
      DATA_API_PORT: 'eighty',
      REDIS_URL: 'http://nowhere',
      ACCESS_API_PORT: home.environment.DATA_API_INTERNAL_PORT,
    });
    expect(await stack.ended).toBe(1);
    const lines = stack.output().stderr.trim().split('\n');
    expect(lines).toEqual([
      'DATA_API_PORT must be a port, 1 to 65535.',
      expect.stringMatching(/^REDIS_URL must begin with redis:/),
      expect.stringMatching(/are both \d+\.$/),
    ]);
  });
});
