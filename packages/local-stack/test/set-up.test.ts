// Tests docs/spec/operations.md 16.8.
import { execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, testFolder } from '@vcds/test-kit';

const bin = fileURLToPath(new URL('../bin', import.meta.url));

let folder: string;
let clone: string;

/** A workspace of one package, and an npm that logs its arguments and installs nothing. */
beforeEach(async () => {
  folder = await testFolder('vcds set-up ');
  clone = join(folder, 'a clone');
  await cp(bin, join(clone, 'packages/local-stack/bin'), { recursive: true });
  await mkdir(join(clone, 'services'));
  await write('package.json', '{ "type": "module", "packageManager": "pnpm@1.2.3" }');
  const portal = ['dist/write-assets.js', 'bin/downloads.mjs', 'bin/site.mjs'];
  const empty = portal.map((name) => `packages/portal/${name}`);
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...empty]) await write(name, '');
  await write(
    'packages/local-stack/package.json',
    '{ "type": "module", "scripts": { "generate": "x" } }',
  );
  await npmThat(`case "$1" in
    exec) mkdir -p node_modules/typescript/bin; touch node_modules/.modules.yaml
          echo "" > node_modules/typescript/bin/tsc;;
    run) mkdir -p src/generated;;
  esac`);
});

async function write(path: string, text: string, below = clone): Promise<void> {
  await mkdir(dirname(join(below, path)), { recursive: true });
  await writeFile(join(below, path), text);
}

async function npmThat(script: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  const npm = join(folder, 'bin/npm');
  await writeFile(npm, `#!/bin/sh\necho "$@" >> "${folder}/npm.log"\n${script}\n`);
  await chmod(npm, 0o755);
}

function build(environment: NodeJS.ProcessEnv = {}): Promise<{ code: number; stderr: string }> {
  const script = join(clone, 'packages/local-stack/bin/build.mjs');
  const env = { PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, _stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stderr });
    });
  });
}

async function npmCalls(): Promise<string[]> {
  const log = await readFile(join(folder, 'npm.log'), 'utf8').catch(() => '');
  await rm(join(folder, 'npm.log'), { force: true });
  return log.split('\n').filter((line) => line !== '');
}

const INSTALL =
  'exec --yes --loglevel=error --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=8000 ' +
  '--package=pnpm@1.2.3 -- pnpm install --frozen-lockfile --reporter=append-only';

describe('the set-up', () => {
  test('installs with the pnpm version of package.json, without pnpm on PATH, and generates', async () => {
    expect(await build()).toMatchObject({ code: 0 });
    expect(await npmCalls()).toEqual([INSTALL, 'run generate --silent']);
  });

  test('is done once for every LOCAL_DIR', async () => {
    await build({ LOCAL_DIR: join(folder, 'one') });
    await npmCalls();
    expect(await build({ LOCAL_DIR: join(folder, 'other') })).toMatchObject({ code: 0 });
    expect(await npmCalls()).toEqual([]);
    expect(await readdir(folder)).not.toContain('other');
  });

  test('is repeated if the packages were deleted or the lockfile has changed', async () => {
    await build();
    await npmCalls();
    await rm(join(clone, 'node_modules'), { recursive: true });
    await build();
    expect(await npmCalls()).toContain(INSTALL);
    await write('pnpm-lock.yaml', 'changed');
    await build();
    expect(await npmCalls()).toContain(INSTALL);
  });

  test.each([
    ['npm error code ENOTFOUND', /^The packages cannot be downloaded: .* and run this again\.$/],
    [
      'ERR_PNPM_META_FETCH_FAIL  GET https://x: ECONNREFUSED',
      /^The packages cannot be downloaded: /,
    ],
    [
      "error TS5033: Could not write file 'x': permission denied",
      /^You cannot write to this clone: .* your own clone\.$/,
    ],
    ['ERR_PNPM_ENOSPC  ENOSPC: no space left on device', /^The disk is full\. .*\.$/],
  ])('gives advice in one sentence: %s', async (line, sentence) => {
    await npmThat(`echo first line; echo "${line}" >&2; echo last line >&2; exit 1`);
    const { code, stderr } = await build();
    expect(code).toBe(1);
    const [cause, advice, ...rest] = stderr.trim().split('\n').slice(-2);
    expect([cause, rest]).toEqual([line, []]);
    expect(advice).toMatch(sentence);
    expect(stderr).not.toContain('first line\n');
  });

  test('removes what was built from a source that is gone, and nothing else', async () => {
    const kept = ['dist/kept.js', 'dist/kept.d.ts', 'dist/asset.css', 'dist/describe/cli.js'];
    const stale = ['dist/old/gone.js', 'dist/old/gone.js.map', 'dist/old/gone.d.ts'];
    for (const name of ['src/kept.ts', ...kept, ...stale]) await write(`services/one/${name}`, '');
    await write('services/one/package.json', '{}');
    expect(await build()).toMatchObject({ code: 0 });
    const left = await readdir(join(clone, 'services/one'), { recursive: true });
    expect(left).toEqual(expect.arrayContaining(kept));
    expect(left.filter((name) => name.includes('gone'))).toEqual([]);
  });

  test('reads no cause from a word that contains its code', async () => {
    const line = "error TS2883: The inferred type of 'createAccessApp' cannot be named";
    await npmThat(`echo "${line}" >&2; exit 1`);
    const { stderr } = await build();
    expect(stderr).toContain(line);
    expect(stderr).not.toContain('You cannot write');
  });

  test('shows the output of an installation that fails for another reason', async () => {
    await npmThat(`echo 'disk quota exceeded' >&2; exit 1`);
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toMatch(/disk quota exceeded\nnpm failed: exit code 1\.\n$/);
  });
});

test('the compiler of npm run dev builds after a change of any source', async () => {
  await write('node_modules/typescript/bin/tsc', "console.log('compiled')");
  await write('services/one/package.json', '{}');
  await write('services/one/src/deep/a.ts', '');
  const watcher = spawn(process.execPath, [join(clone, 'packages/local-stack/bin/watch.mjs')]);
  let output = '';
  watcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    // A change before it watches is not noticed.
    await eventually(
      async () => {
        await write('services/one/src/deep/a.ts', `// ${output.length}`);
        return output.includes('Built.');
      },
      { intervalMs: 500 },
    );
    expect(output).toContain('compiled\n');
  } finally {
    watcher.kill('SIGKILL');
  }
});

test('Jest finds, divides and runs the tests of a clone in any folder', async () => {
  const odd = join(folder, 'test/dist/node_modules/ä (b)/clone');
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = {
    'package.json': '{"type":"module"}',
    'services/README.md': '',
    'packages/odd/src/one.ts': 'export const one: number = 1;',
    'packages/odd/test/pure.test.ts': `import { expect, test } from '@jest/globals';
      import { one } from '../src/one.ts';
      test('is pure', () => expect(one as number).toBe(1));`,
    'packages/odd/test/reading.test.ts': `import './support/open.ts';`,
    'packages/odd/test/support/open.ts': `import 'node:fs';`,
  };
  for (const [name, text] of Object.entries(files)) await write(name, text, odd);
  await cp(join(root, 'jest.config.js'), join(odd, 'jest.config.js'));
  await mkdir(join(odd, 'packages/test-kit'));
  for (const name of ['node_modules', 'packages/test-kit/bin', 'packages/test-kit/dist']) {
    await symlink(join(root, name), join(odd, name));
  }
  const jest = ['--experimental-vm-modules', join(odd, 'node_modules/jest/bin/jest.js')];
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [...jest, ...args], { cwd: odd });
  const listed = await run('--listTests', '--selectProjects', 'integration');
  expect(listed.stdout).toContain(join(odd, 'packages/odd/test/reading.test.ts'));
  const { stderr } = await run('--selectProjects', 'unit');
  expect(stderr).toContain('Tests:       1 passed, 1 total');
});
