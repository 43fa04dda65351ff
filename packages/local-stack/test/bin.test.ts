import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

const bin = (name: string) => fileURLToPath(new URL(`../bin/${name}`, import.meta.url));

/** Node options that make it pass for another version or platform. */
function passingFor(changes: { version?: string; platform?: string }): string[] {
  const { version = process.versions.node, platform = process.platform } = changes;
  const script = `
    const versions = { ...process.versions, node: '${version}' };
    Object.defineProperty(process, 'versions', { value: versions });
    Object.defineProperty(process, 'platform', { value: '${platform}' });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

describe('npm start', () => {
  test('tells its flags when asked', async () => {
    const { code, stdout } = await run([bin('start.mjs'), '--help']);
    expect(code).toBe(0);
    for (const flag of ['--empty', '--fresh', '--json']) expect(stdout).toContain(flag);
  });

  test('refuses a flag it does not know, by name', async () => {
    const { code, stderr } = await run([bin('start.mjs'), '--jsno']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^"--jsno" is no flag of npm start\.\n/);
  });
});

describe.each(['start.mjs', 'test.mjs'])('%s', (script) => {
  test.each(['18.20.4', '20.18.3'])('says what is needed on Node %s', async (version) => {
    const { code, stderr } = await run([...passingFor({ version }), bin(script)]);
    expect(code).toBe(1);
    expect(stderr).toBe(`Node 20.19 or newer is needed; this is ${version}.\n`);
  });

  test('says what to use on Windows', async () => {
    const { code, stderr } = await run([...passingFor({ platform: 'win32' }), bin(script)]);
    expect(code).toBe(1);
    expect(stderr).toContain('Windows Subsystem for Linux');
  });
});

describe('progress', () => {
  const fixture = fileURLToPath(new URL('fixtures/progress.mjs', import.meta.url));

  test('is plain lines where there is no terminal', async () => {
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

  test('is one line that counts the seconds on a terminal, cleared when it is done', async () => {
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
