import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { filesOf, headingsOf, read, root } from './repository.ts';

const FOLDER = 'docs/spec/';
const README = `${FOLDER}README.md`;
const CITATION = /docs\/spec\/([\w-]+)\.md(?: (\d+\.\d+(?:, \d+\.\d+)*))?/g;
const CODE = ['.ts', '.mjs', '.js', '.sql', '.lua', '.prisma', '.yml', '.md'];

const pages = filesOf('.md').filter((file) => file.startsWith(FOLDER) && file !== README);

describe('the specification', () => {
  test('lists every page in its index, by the number of the page', () => {
    const listed = [...read(README).matchAll(/^\| (\d+) \[[^\]]+\]\(([a-z-]+\.md)\)/gm)];
    const numbers = pages.map((page) => [/^\d+/.exec(headingsOf(page)[0] ?? '')?.[0], page]);
    const index = listed.map(([, number, page]) => [number, `${FOLDER}${page}`]);
    expect(index.sort(byPage)).toEqual(numbers.sort(byPage));
  });

  test.each(pages)('numbers the sections of %s', (page) => {
    const [title = '', ...sections] = headingsOf(page);
    const number = Number.parseInt(title, 10);
    const found = sections.map((heading) => /^(\d+)\.(\d+) ./.exec(heading));
    expect(found.map((match) => Number(match?.[1]))).toEqual(sections.map(() => number));
    const own = found.map((match) => Number(match?.[2]));
    expect(own).toEqual([...new Set(own)].sort((one, other) => one - other));
  });

  test('has every section that code, tests and documentation cite', () => {
    const missing = filesOf(...CODE).flatMap((file) =>
      citationsIn(read(file)).flatMap(([text, page, sections]) =>
        isPage(`${FOLDER}${page}.md`, sections?.split(', ')) ? [] : [`${file}: ${text}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('is cited in place of documents outside the repository', () => {
    const outside = /\b(?:spec|decisions|architecture)(?:\.md)?`? ?§/i;
    const examples = ['docs/glossary.md', 'packages/test-kit/test/words/words.test.ts'];
    const files = filesOf(...CODE).filter((file) => !examples.includes(file));
    expect(files.filter((file) => outside.test(read(file)))).toEqual([]);
  });
});

test('every section of the specification has a test', () => {
  const script = `import { testsOfSections } from './packages/test-kit/bin/promises.mjs';
    process.stdout.write([...testsOfSections().keys()].join());`;
  const options = { cwd: root, encoding: 'utf8' } as const;
  const tested = execFileSync(process.execPath, ['--input-type=module', '-e', script], options);
  const sections = pages.flatMap((page) => headingsOf(page).slice(1));
  const numbers = sections.map((heading) => heading.split(' ')[0] ?? '');
  expect(numbers.filter((number) => !tested.split(',').includes(number))).toEqual([]);
});

/** Citations, also those that continue in the next line of a comment. */
function citationsIn(source: string): RegExpMatchArray[] {
  return [...source.replace(/\n[ \t]*(?:\*|\/\/|--|#)? /g, ' ').matchAll(CITATION)];
}

function isPage(page: string, sections: readonly string[] = []): boolean {
  if (page === README) return true;
  if (!pages.includes(page)) return false;
  const headings = headingsOf(page);
  return sections.every((section) => headings.some((each) => each.startsWith(`${section} `)));
}

function byPage([, one]: readonly unknown[], [, other]: readonly unknown[]): number {
  return String(one).localeCompare(String(other));
}

const SIGNS = new Set(['+', '×', '÷']);

/** The value of a computation such as `1,000 × 15 ÷ 5 + 2`, from left to right, products first. */
function resultOf(computation: string): number {
  const words = computation.split(' ').filter((word) => word !== '');
  const unknown = words.filter((word) => !SIGNS.has(word) && !/^[\d,]+(\.\d+)?$/.test(word));
  if (unknown.length > 0) throw new Error(`${computation}: ${unknown.join(' ')}`);
  return computation
    .replaceAll(',', '')
    .split(' + ')
    .map((product) =>
      product
        .split(' × ')
        .map((quotient) =>
          quotient
            .split(' ÷ ')
            .map(Number)
            .reduce((a, b) => a / b),
        )
        .reduce((a, b) => a * b),
    )
    .reduce((a, b) => a + b);
}

const rows = [
  ...read('docs/capacity.md').matchAll(/^\| (.+) \| (.+[+×÷].+) \| ([\d.,]+) \| .+ \|$/gm),
];

describe('the arithmetic of docs/capacity.md', () => {
  test.each([
    ['1,000 × 15 ÷ 5', 3_000],
    ['0.5 × 4 + 0.5 × 2', 3],
    ['12 ÷ 3 × 2', 8],
    ['100 ÷ 5 ÷ 2', 10],
  ])('is computed, as %s', (computation, value) => {
    expect(resultOf(computation)).toBeCloseTo(value);
  });

  test('agrees with its results, as they are rounded', () => {
    const wrong = rows.filter(([, , computation = '', result = '']) => {
      const value = Number(result.replaceAll(',', ''));
      return Math.abs(resultOf(computation) / value - 1) > 0.01;
    });
    expect(wrong.map(([row]) => row)).toEqual([]);
    expect(rows.length).toBeGreaterThan(25);
  });
});
