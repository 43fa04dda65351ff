import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { outcomeOf } from './outcome.ts';

const run = (args: readonly string[], env = process.env) => outcomeOf(args, env);

const bin = (name: string) => fileURLToPath(new URL(`../bin/${name}`, import.meta.url));

interface Machine {
  readonly version?: string;
  readonly platform?: string;
  readonly uid?: number;
  readonly hasGlibc?: boolean;
}

/** Node options that simulate another version, platform, user or C library. */
function simulating(changes: Machine): string[] {
  const { version = process.versions.node, platform = process.platform } = changes;
  const { uid = process.getuid?.(), hasGlibc = true } = changes;
  const script = `
    process.getuid = () => ${uid};
    if (!${hasGlibc}) process.report.getReport = () => ({ header: {} });
    const versions = { ...process.versions, node: '${version}' };
    Object.defineProperty(process, 'versions', { value: versions });
    Object.defineProperty(process, 'platform', { value: '${platform}' });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

describe('npm start', () => {
  test('lists its flags', async () => {
    const { code, stdout } = await run([bin('start.mjs'), '--help']);
    expect(code).toBe(0);
    for (const flag of ['--empty', '--fresh', '--json']) expect(stdout).toContain(flag);
  });

  test('rejects an unknown flag', async () => {
    const { code, stderr } = await run([bin('start.mjs'), '--jsno']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Unknown flag "--jsno" of npm start\.\n/);
  });
});

describe.each(['start.mjs', 'test.mjs'])('%s', (script) => {
  test.each(['18.20.4', '20.18.3'])('names the required version on Node %s', async (version) => {
    const { code, stderr } = await run([...simulating({ version }), bin(script)]);
    expect(code).toBe(1);
    expect(stderr).toBe(`Node 20.19 or newer is required; this is ${version}.\n`);
  });

  test('recommends WSL on Windows', async () => {
    const { code, stderr } = await run([...simulating({ platform: 'win32' }), bin(script)]);
    expect(code).toBe(1);
    expect(stderr).toContain('Windows Subsystem for Linux');
  });
});

describe.each(['start.mjs', 'dev.mjs'])('%s if the embedded PostgreSQL cannot run', (script) => {
  const alpine = { platform: 'linux', hasGlibc: false };
  const macRoot = { platform: 'darwin', uid: 0 };

  test.each([
    [
      'musl',
      alpine,
      /^The embedded PostgreSQL requires glibc, .* set DATABASE_URL and REDIS_URL .*\n$/,
    ],
    ['root on macOS', macRoot, /^PostgreSQL does not run as root\. Start without sudo, .*\n$/],
  ])('ends with one sentence: %s', async (_case, machine, sentence) => {
    const { code, stderr } = await run([...simulating(machine), bin(script)], {});
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
  });

  test.each([
    ['musl', alpine],
    ['root on macOS', macRoot],
  ])('continues with an external database: %s', async (_case, machine) => {
    const environment = { DATABASE_URL: 'postgres://mine' };
    const options = [...simulating(machine), bin(script), '--nonsense'];
    const { code, stderr } = await run(options, environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Unknown flag "--nonsense" of npm /);
  });
});

describe('documentation and messages', () => {
  const names = execFileSync('git', ['ls-files', '-z', '*.md', '*.ts', '*.mjs', '*.prisma'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  }).split('\0');

  test('name commands that work without pnpm', async () => {
    const found: string[] = [];
    for (const name of names.filter((path) => path !== '' && !path.endsWith('/bin.test.ts'))) {
      const text = await readFile(join(repositoryRoot, name), 'utf8').catch(() => '');
      for (const [line] of text.matchAll(
        /^.*\bpnpm (?!install|exec|audit|add|update|licenses).*$/gm,
      )) {
        if (/`pnpm |run with pnpm|Usage: pnpm|: pnpm|or pnpm|'pnpm /.test(line)) {
          found.push(`${name}: ${line.trim()}`);
        }
      }
    }
    expect(found).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  const page = () => readFile(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');

  test('names existing files and folders', async () => {
    const paths = [...(await page()).matchAll(/`((?:docs|packages|services)\/[^`\s]*)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !path.includes('NNNN'));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  });

  test('names existing npm scripts', async () => {
    const { scripts } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8'));
    const names = [...(await page()).matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('progress', () => {
  const fixture = fileURLToPath(new URL('fixtures/progress.mjs', import.meta.url));

  test('is plain lines without a terminal', async () => {
    const { stdout } = await run([fixture, 'plain']);
    expect(stdout.replaceAll(/\d+\.\d s/g, 'N s').split('\n')).toEqual([
      'Working ...',
      'Something to know.',
      'Working: 3 things (N s)',
      'Failing ...',
      'Failing: failed (N s)',
      '',
    ]);
  });

  test('is one line that counts the seconds on a terminal, cleared at the end', async () => {
    const { stdout } = await run([fixture, 'terminal']);
    const redrawn = stdout.replaceAll('\r\x1b[2K', '\r');
    expect(redrawn).toMatch(/\r {2}[|/\\-] {2}Working: half way \(\d+\.\d s\)/);
    const lines = redrawn.split('\n').map((line) => line.split('\r').at(-1));
    expect(lines.map((line) => line?.replace(/\d+\.\d s/, 'N s'))).toEqual([
      'Something to know.',
      ' ok  Working: 3 things (N s)',
      '  !  Failing: failed (N s)',
      '',
    ]);
  });
});
