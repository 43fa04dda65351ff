/**
 * Prints `word-classes.ts` of packages/resolution, counted in the names of real companies:
 * `npm run bench -- resolution-words`.
 */
import { nameForms } from '@vcds/name-search';
import { realSets } from './resolution/truth.ts';

const COUNT_MIN = 3;
/** Words that no source of the product may have. */
const LEFT_OUT = /^(?:worl|weath|frontie|lan(?=e$))/u;
const WIDTH = 96;

const names = new Set<string>();
const counts = new Map<string, number>();
for (const { statement } of realSets()) {
  const { words, coreCount, compact } = nameForms(statement.name);
  if (names.has(compact)) continue;
  names.add(compact);
  for (const word of new Set(words.slice(0, coreCount))) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
}
const classes = new Map<number, string[]>();
for (const [word, count] of counts) {
  if (count < COUNT_MIN || LEFT_OUT.test(word) || !/^[a-z]+$/u.test(word)) continue;
  const rounded = count < 8 ? count : Math.round(2 ** (Math.round(Math.log2(count) * 2) / 2));
  classes.set(rounded, [...(classes.get(rounded) ?? []), word]);
}
const rows = [...classes]
  .sort(([a], [b]) => b - a)
  .map(([count, words]) => {
    const lines = [''];
    for (const word of words.sort()) {
      const line = lines.pop() ?? '';
      if (line.length + word.length < WIDTH) lines.push(line === '' ? word : `${line} ${word}`);
      else lines.push(line, word);
    }
    return `  [\n    ${count},\n    \`${lines.join('\n')}\`,\n  ],`;
  });
console.log(`/** The number of names, of NAMES_COUNTED, that have each word. Made by \`npm run bench -- resolution-words\`. */
export const WORD_CLASSES: readonly (readonly [count: number, words: string])[] = [
${rows.join('\n')}
];

/** Different names in which the words were counted. */
export const NAMES_COUNTED = ${names.size};`);
