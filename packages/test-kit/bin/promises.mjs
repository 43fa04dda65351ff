// `npm run promises [-- SECTION…]`: the sections of docs/spec, each with the tests that fail if the
// product breaks it, in Markdown. A test file names its sections at its head: "Tests docs/spec/errors.md
// 11.1, 11.3."; the names of its tests are the guarantees.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file) => readFileSync(`${root}${file}`, 'utf8');
const filesOf = (pattern) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', pattern], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(`${root}${file}`));

/** The name of a test: a text before a function, in a call that does not group tests. */
const TEST_NAME = /(?<!describe(?:\.\w+)?)\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1,\s*(?:async\b|\()/g;

/** The test files by the number of the section that they name. */
export function testsOfSections() {
  const tests = new Map();
  for (const file of filesOf('*.test.ts')) {
    for (const [, sections] of read(file).matchAll(/^\/\/ Tests docs\/spec\/\S+ ([\d., ]+)\.$/gm)) {
      for (const section of sections.split(', ')) {
        tests.set(section, [...(tests.get(section) ?? []), file]);
      }
    }
  }
  return tests;
}

/** The names of the tests of a file. */
const namesIn = (file) => [...read(file).matchAll(TEST_NAME)].map(([, , name]) => name);

function print(wanted) {
  const tests = testsOfSections();
  for (const page of filesOf('docs/spec/*.md')) {
    for (const [, title, section] of read(page).matchAll(/^## ((\d+\.\d+) .+)$/gm)) {
      if (wanted.length > 0 && !wanted.includes(section)) continue;
      const files = (tests.get(section) ?? []).map((file) =>
        [`- ${file}`, ...namesIn(file).map((name) => `  - ${name}`)].join('\n'),
      );
      process.stdout.write(`## ${title}\n\n${files.join('\n')}\n\n`);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print(process.argv.slice(2));
