import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { findMisnamed } from './find-constants.ts';

const files = execFileSync(
  'git',
  ['ls-files', '-z', '-co', '--exclude-standard', '*.ts', '*.mjs'],
  {
    cwd: repositoryRoot,
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((file) => file !== '' && !file.includes('/generated/'));

describe('module constants', () => {
  test.each([
    'const timeoutMs = 5 * 1_000;',
    'export const pattern = /a/;',
    "const names = ['a', 'b'] as const;",
    "const table: Readonly<Record<string, number>> = { a: 1, ['b']: 2 };",
    "const known = new Set(['a']);",
    'const limits = Object.freeze({ max: MAX, min: -1 });',
    'const text = `lines`;',
  ])('are found: %s', (source) => {
    expect(findMisnamed(source)).toHaveLength(1);
  });

  test.each([
    'const TIMEOUT_MS = 5;',
    'let count = 0;',
    'const seen = new Set<string>();',
    'const lines: string[] = [];',
    'const double = (n: number) => 2 * n;',
    'const root = dirname(file);',
    'const handlers = { a: () => 1 };',
    'function f() { const limit = 5; }',
    'const { a } = { a: 1 };',
  ])('are not: %s', (source) => {
    expect(findMisnamed(source)).toEqual([]);
  });

  test('have names in UPPER_SNAKE', () => {
    const misnamed = files.flatMap((file) =>
      findMisnamed(readFileSync(join(repositoryRoot, file), 'utf8')).map(
        (name) => `${file}: ${name}`,
      ),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(misnamed).toEqual([]);
  });
});
