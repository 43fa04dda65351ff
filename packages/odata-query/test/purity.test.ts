import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const PACKAGE = new URL('../', import.meta.url);
const SOURCE = new URL('src/', PACKAGE);
const FILES = readdirSync(fileURLToPath(SOURCE), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(new URL(path, SOURCE), 'utf8') }));

const IMPORT = /\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;

/** Globals through which a program reads more than its arguments. */
const OUTSIDE =
  /\b(?:process|globalThis|console|Buffer|fetch|setTimeout|setInterval|performance|require|eval)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/;

describe('this package', () => {
  test('depends on nothing', () => {
    const manifest: { dependencies?: object } = JSON.parse(
      readFileSync(new URL('package.json', PACKAGE), 'utf8'),
    );
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(FILES.length).toBeGreaterThan(20);
    for (const { path, text } of FILES) {
      for (const [, from, imported] of text.matchAll(IMPORT)) {
        expect(`${path}: ${from ?? imported}`).toMatch(/: \.{1,2}\/[\w./-]+\.ts$/);
      }
    }
  });

  test('reads only its arguments: no clock, no environment, no output', () => {
    for (const { path, text } of FILES) {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      expect(`${path}: ${OUTSIDE.exec(code)?.[0] ?? 'pure'}`).toBe(`${path}: pure`);
    }
  });

  test('is written in small files', () => {
    for (const { path, text } of FILES) {
      expect({ path, small: text.split('\n').length <= 251 }).toEqual({ path, small: true });
    }
  });
});
