import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { testFolder } from '@vcds/test-kit';
import { ownEnvironment } from '../src/stack/own-secrets.ts';
import { outcomeOf } from './outcome.ts';

const wrapper = fileURLToPath(new URL('../bin/with-stack.mjs', import.meta.url));

let folder: string;
let command: string;

beforeEach(async () => {
  folder = await testFolder('vcds-with-stack-');
  command = join(folder, 'command.mjs');
  await writeFile(
    command,
    `console.log(process.env.DATABASE_URL, process.env.REDIS_URL, process.argv.slice(2).join('|'));
     process.exitCode = process.argv.includes('fail') ? 7 : 0;`,
  );
});

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env.PATH, LOCAL_DIR: folder, ...environment };
  return outcomeOf([wrapper, ...args], env);
}

async function stackRuns(pid: number): Promise<void> {
  const info = {
    pid,
    environment: { DATABASE_URL: 'postgres://stack', REDIS_URL: 'redis://stack' },
  };
  await writeFile(join(folder, 'stack.json'), JSON.stringify(info));
}

test('without the URL of its own role, a program uses that of DATABASE_URL, and gets no other secret', () => {
  const given = { DATABASE_URL: 'postgres://all', CODE_SECRET: 'x', REDIS_URL: 'redis://all' };
  const ownOf = (program: string, more = {}) => ownEnvironment(program, { ...given, ...more });
  const admin = { ACCESS_DATABASE_URL: 'postgres://all', REDIS_URL: 'redis://all' };
  expect(ownOf('admin')).toEqual(admin);
  expect(ownOf('admin', { ACCESS_DATABASE_URL: 'postgres://own' })).toEqual({
    ...admin,
    ACCESS_DATABASE_URL: 'postgres://own',
  });
  expect(ownOf('ingest')).toEqual({ IMPORT_DATABASE_URL: 'postgres://all' });
  expect(ownOf('migrate')).toEqual({ DATABASE_URL: 'postgres://all' });
});

describe('a command of the product', () => {
  test('uses the stack that runs from this folder', async () => {
    await stackRuns(process.pid);
    const { code, stdout } = await run([command, 'a b', '--flag']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'postgres://stack redis://stack a b|--flag\n',
    });
  });

  test('uses DATABASE_URL if it is set', async () => {
    await stackRuns(process.pid);
    const { stdout } = await run([command], { DATABASE_URL: 'postgres://mine' });
    expect(stdout).toBe('postgres://mine undefined \n');
  });

  test.each([
    ['DATABASE_URL is its database', { DATABASE_URL: 'postgres://stack' }],
    ['variables are empty', { DATABASE_URL: '', REDIS_URL: '' }],
  ])('takes the other variables from the stack if %s', async (_case, environment) => {
    await stackRuns(process.pid);
    const { stdout } = await run([command], environment);
    expect(stdout).toBe('postgres://stack redis://stack \n');
  });

  test('runs in the folder of the user, not of npm', async () => {
    await stackRuns(process.pid);
    await writeFile(command, 'console.log(process.cwd())');
    const { stdout } = await run([command], { INIT_CWD: '/usr' });
    expect(stdout).toBe('/usr\n');
  });

  test('returns its exit code', async () => {
    await stackRuns(process.pid);
    expect((await run([command, 'fail'])).code).toBe(7);
  });

  test('is an error without a database', async () => {
    const { code, stderr } = await run([command]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^No database\. Run npm start/);
  });

  test('ignores a killed stack', async () => {
    await stackRuns(2 ** 22 + 1);
    expect((await run([command])).stderr).toMatch(/^No database/);
  });

  test('prints its help without a database', async () => {
    expect((await run([command, '--help'])).stdout).toBe('undefined undefined --help\n');
  });

  test('is an error if it is not built', async () => {
    const { stderr } = await run(['services/nowhere/dist/cli.js']);
    expect(stderr).toMatch(/^services\/nowhere\/dist\/cli\.js is not built\./);
  });
});
