/**
 * The share of fields that are right on saved pages (docs/find.md), and the time for each page.
 *
 * Run with `npm run bench -- find`; real data as for the tests (`VCDS_DATA_DIR`).
 */
import { resolve } from 'node:path';
import { evaluate } from './evaluate.ts';

const folder = resolve(process.env.VCDS_DATA_DIR || '../../../shared/data');
const started = performance.now();
const shares = evaluate(folder, (line) => process.stderr.write(`${line}\n`));
const pages = shares[0]?.pages ?? 1;
const milliseconds = (performance.now() - started) / pages;

console.log('| Field | Right | Reference library |\n|---|---|---|');
for (const { field, right, reference } of shares) {
  console.log(`| ${field} | ${right} of ${pages} | ${reference} of ${pages} |`);
}
console.log(`\n${milliseconds.toFixed(0)} ms for each page`);
