import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { bannedWords, findInProse, findInSource } from './find-words.ts';

/** All files and folders that use the words of docs/glossary.md: every package and service. */
const CHECKED_PATHS: readonly string[] = [
  ...['.github', 'CONTRIBUTING.md', 'README.md', 'docker', 'docs', 'infra'],
  ...['packages', 'services'].flatMap((group) =>
    readdirSync(fileURLToPath(new URL(`../../../../${group}`, import.meta.url)))
      .map((name) => `${group}/${name}`)
      .sort(),
  ),
];

/** Parts of them that are not clean yet. */
const NOT_YET: readonly string[] = [
  // Its examples are such words.
  'packages/test-kit/test/words',
  // Made from the descriptions, whose texts are checked where they are written.
  'packages/portal/site/reference',
  // Keeper is a program of ClickHouse.
  'infra/kubernetes/components/clickhouse',
  'services/data-api/prisma/migrations/0002_service_tables/migration.sql',
];

/** Names of the operating system, of protocols, error codes and hosts that are such words. */
const SYSTEM_NAMES = /'nobody'|openWorldHint|site_refused|frontier(net)?\.(com|net)/g;

const SKIPPED_FOLDERS = ['node_modules', 'dist', 'generated'];
const CHECKED = /\.(md|ts|mjs|js|vue|sql|lua|sh|ya?ml)$/;

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const words = bannedWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));

describe('the words of the glossary', () => {
  test('are read from both of its tables', () => {
    expect(words.map(({ word }) => word)).toEqual(
      expect.arrayContaining(['refus*', 'kept column*', 'whence', 'is at it']),
    );
  });

  test.each([
    ['a word', 'It is told once.', ['told']],
    ['a word with any ending', 'A refusal, and two refused.', ['refusal', 'refused']],
    ['a phrase across a line break', 'data is\nhad here', ['is\nhad']],
    ['a sentence with What as its subject', 'Yes. What is left stays.', ['. What is left stays.']],
    ['no part of another word', 'retold, interests', []],
    ['no code', 'The label `refused`:\n```\nrefuse()\n```', []],
    ['no target of a link', '[the page](refusals.md)', []],
    ['no question', 'What is left?', []],
  ])('are found in prose: %s', (_, text, found) => {
    expect(findInProse(text, words).map((finding) => finding.found)).toEqual(found);
  });

  test.each([
    ['an identifier', 'const lastRefusal = 1;', ['Refusal']],
    ['a constant', 'const MAX_REFUSALS = 1;', ['REFUSALS']],
    ['a comment', '/** Tells the caller. */', ['Tells']],
    ['a phrase across the lines of a comment', '/**\n * A port is\n * had\n */', ['is\n * had']],
    ['a message', "throw new Error('Nobody knows')", ['Nobody', 'knows']],
    ['a citation of a document elsewhere', '/** A price (spec §8.1). */', ['spec §8']],
    ['a comment with What as its subject', '/** What it costs. */', ['/** What it costs. */']],
  ])('are found in source: %s', (_, text, found) => {
    expect(findInSource(text, words).map((finding) => finding.found)).toEqual(found);
  });

  test.each(CHECKED_PATHS)('hold in %s', (path) => {
    const findings = filesIn(path).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(SYSTEM_NAMES, '');
      const found = file.endsWith('.md') ? findInProse(text, words) : findInSource(text, words);
      return found.map((finding) => `${file}:${finding.line}: ${finding.found}`);
    });
    expect(findings).toEqual([]);
  });

  test('have no exception that is gone', () => {
    expect(NOT_YET.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

/** The checked files of a file or folder, as paths of the repository. */
function filesIn(path: string): string[] {
  if (NOT_YET.includes(path)) return [];
  if (!statSync(join(root, path)).isDirectory()) return CHECKED.test(path) ? [path] : [];
  return readdirSync(join(root, path))
    .filter((name) => !SKIPPED_FOLDERS.includes(name))
    .flatMap((name) => filesIn(`${path}/${name}`));
}
