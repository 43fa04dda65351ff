import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { anchorOf, filesOf, headingsOf, read, root } from './repository.ts';

const pages = filesOf('.md');

describe('the links of the documentation', () => {
  test.each([
    ['2.7 The key check', '27-the-key-check'],
    ['Targets of `see`', 'targets-of-see'],
  ])('lead to the anchor of %s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });

  test('lead to files and headings of the repository', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page).flatMap((link) => (leadsSomewhere(page, link) ? [] : [`${page}: ${link}`])),
    );
    expect(broken).toEqual([]);
  });
});

/** The targets of relative links, without those in code. */
function linksOf(page: string): string[] {
  const prose = read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(`${root}${target}`)) return false;
  return anchor === undefined || headingsOf(target).some((each) => anchorOf(each) === anchor);
}
