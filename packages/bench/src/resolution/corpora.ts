import { distinctWords, hash32, nameKey, WORD_CLASSES } from '@vcds/resolution';
import { corpusOf } from './perturb.ts';
import type { Labelled } from './real-sets.ts';
import { companies2013, directoryVersions, fundLists, realSets } from './truth.ts';

/** Statements that are resolved together. */
export interface Corpus {
  readonly name: string;
  /** How many there are at most. */
  readonly size: number;
  /** By ascending id; made while they are read. */
  readonly statements: () => Iterable<Labelled>;
}

const inOrder = (name: string, statements: readonly Labelled[]): Corpus => ({
  name,
  size: statements.length,
  statements: () => [...statements].sort((a, b) => (a.statement.id < b.statement.id ? -1 : 1)),
});

/** The half of the companies on which weights and thresholds are chosen. */
export const isTrainingHalf = (truth: string): boolean => (hash32(truth, 7) & 1) === 0;

const words = WORD_CLASSES.flatMap(([count, text]) =>
  count > 100 ? [] : text.split(/\s+/u).filter((word) => word.length > 2),
);

/** The real sets whose truth is known, and generated corpora of these sizes. */
export function corpora(entity: 1 | 2, sizes: readonly number[]): Corpus[] {
  const real =
    entity === 1
      ? [
          inOrder('directories of 2013', companies2013()),
          inOrder('a directory at two times', directoryVersions()),
        ]
      : [inOrder('lists of funds', fundLists())];
  const base = realSets(entity);
  // The same company of two sets would be two companies of a generated corpus.
  const seen = new Set<string>();
  const distinct = base.filter(({ statement: { name } }) => {
    const key = distinctWords(nameKey(name)?.words ?? []).join('');
    return key.length > 1 && !seen.has(key) && seen.add(key);
  });
  return [
    ...real,
    ...sizes.map((size) => ({
      name: `generated, ${size.toLocaleString('en-US')}`,
      size: Math.ceil(size * 1.2) + 1_000,
      statements: () => corpusOf(sampled(distinct, size), size, size + entity, words),
    })),
  ];
}

/** As many real companies as half of a corpus takes, in an order that is the same each time. */
function sampled(base: readonly Labelled[], size: number): Labelled[] {
  const keyed = base.map((one): [number, Labelled] => [hash32(one.statement.id, size), one]);
  return keyed
    .sort(([a], [b]) => a - b)
    .slice(0, size)
    .map(([, one]) => one);
}
