/**
 * Rewrites accepted.json from the sets of other parsers' cases and prints, for review, what of
 * it changed and every case accepted although its source calls it invalid.
 *
 * Run with `npm run conformance -- [FOLDER OF DATA]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { caseKey, readCases } from './cases.ts';
import { outcomeOf } from './outcome.ts';

const FILE = resolve('test/conformance/accepted.json');
const folder = resolve(process.argv[2] ?? process.env.VCDS_DATA_DIR ?? '../../../shared/data');

const before = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
const after = new Map<string, string>();
const counts = new Map<string, { accepted: number; rejected: number }>();

for (const one of readCases(folder)) {
  const outcome = outcomeOf(one);
  const count = counts.get(one.kind) ?? { accepted: 0, rejected: 0 };
  counts.set(one.kind, count);
  if ('error' in outcome) {
    count.rejected++;
    continue;
  }
  count.accepted++;
  const key = caseKey(one);
  const tree = `${one.kind} ${outcome.tree}`;
  if (before[key] !== tree && !after.has(key)) print('new', one.source, one.text, tree);
  if (one.failAt !== undefined) print('called invalid', one.source, one.text, tree);
  after.set(key, tree);
}
for (const key of Object.keys(before)) if (!after.has(key)) print('gone', key, '', '');

const sorted = [...after].sort(([left], [right]) => (left < right ? -1 : 1));
writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
console.table(Object.fromEntries(counts));

function print(what: string, source: string, text: string, tree: string): void {
  console.log(`${what}: ${source}  ${JSON.stringify(text)}  ->  ${tree}`);
}
