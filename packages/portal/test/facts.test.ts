import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PLANS } from '@vcds/metering';
import { ERRORS } from '@vcds/service-kit';
import { factsIn } from '../site/.vitepress/facts.ts';
import { SIDEBAR } from '../site/.vitepress/navigation.ts';

const cellsOf = (row: string) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));

test('the table of errors has the meaning of every code and a remedy', () => {
  const rows = factsIn('{= errors =}').split('\n').slice(2).map(cellsOf);
  const incomplete = rows.filter(
    (cells) => cells.length !== 4 || cells.some((text) => text === ''),
  );
  expect(incomplete).toEqual([]);
  const linked = (code: string) => `<a id="${code}" class="anchor" href="#${code}">\`${code}\`</a>`;
  expect(rows.map(([, code]) => code)).toEqual(Object.keys(ERRORS).map(linked));
});

test('numbers come from the plans', () => {
  const text = `${PLANS.free.creditsPerMonth} of ${PLANS.scale.topMax.toLocaleString('en-US')}`;
  expect(factsIn('{= free.credits =} of {= scale.top =}')).toBe(text);
});

test('an unknown fact is an error', () => {
  expect(() => factsIn('{= constructor =}')).toThrow('Unknown fact constructor.');
});

test('the sidebar has every page of the specification with the number of its title', () => {
  const groups = Object.entries(SIDEBAR).find(([folder]) => folder === '/spec/')?.[1];
  const items = Array.isArray(groups) ? groups.flatMap(({ items: each = [] }) => each) : [];
  const numbers = items.flatMap(({ text = '' }) => /^(\d+) \S/.exec(text)?.[1] ?? []);
  const overview = readFileSync(new URL('../../../docs/spec/README.md', import.meta.url), 'utf8');
  expect(numbers).toEqual([...overview.matchAll(/^\| (\d+) \[/gm)].map(([, number]) => number));
});
