/**
 * Learns the weights of packages/resolution on one half of the companies:
 * `npm run bench -- resolution-train`. Prints the table of `weights.ts`.
 */
import {
  BlockIndex,
  type Compiled,
  compile,
  FEATURES,
  type FeatureName,
  type Features,
  featuresOf,
  keysOf,
  positionsOf,
  sizeClass,
} from '@vcds/resolution';
import { type Corpus, corpora, isTrainingHalf } from './resolution/corpora.ts';

interface Row {
  readonly values: Float64Array;
  readonly isMatch: boolean;
  weight: number;
}

/** Features that cannot speak against a match, or for one. */
const POSITIVE = /Same$|Rarity$|nameIsLabel|nameWords$|nameTypo$/u;
const NEGATIVE = /(?<!Name)Other$|nameOther|OtherEnding$|Shared$|Missing/u;
/** Where the prior holds weights that the training pairs hardly speak of. */
const PRIOR: Readonly<Partial<Record<FeatureName, number>>> = {
  ...{ totalSame: 2, totalOther: -0.3, citySame: 1, regionSame: 0.5, countrySame: 0.5 },
  ...{ cityOther: -1.2, regionOther: -1, countryOther: -2, foundedSame: 0.8, foundedNear: 0.2 },
  ...{
    foundedOther: -2,
    siteOther: -1.5,
    siteOtherEnding: -0.7,
    nameIsLabel: 1,
    siteSame: 4,
    siteSameOtherName: 1,
  },
  ...{ textSame: 1.2, textOther: -0.5, tagsSame: 0.5, tagsOther: -0.3, newsSame: 2, peopleSame: 2 },
  ...{ roundsSame: 3, roundsOther: -0.7, linksSame: 1, linksOther: -0.5, peopleOther: -1 },
  ...{ nameSameRarity: 1, nameWordsRarity: 1, nameTypoRarity: 1 },
};
/** Of a prior that holds each weight near its value above. */
const RIDGE = 30;

/**
 * The sets cannot teach these for other sets: their lists of tags are one list, and their companies move
 * less than those of lists that are years apart.
 */
const HELD: ReadonlySet<string> = new Set<FeatureName>([
  ...(['tagsSame', 'tagsOther', 'roundsSame', 'totalSame', 'cityOther', 'regionOther'] as const),
]);
const HELD_BY = 20;

function rowsOf(corpus: Corpus): Row[] {
  const statements = [...corpus.statements()];
  const compiled = statements.map(({ statement }) => compile(statement));
  const index = new BlockIndex(compiled.length);
  const sources = [...new Set(compiled.map(({ source }) => source))];
  for (const one of compiled) index.add(sources.indexOf(one.source), keysOf(one));
  const pairs = index.pairs();
  const crowd = {
    statements: sizeClass(compiled.length),
    holders: (key: number) => index.holders(key),
  };
  const rows: Row[] = [];
  for (const pair of pairs) {
    const [low, high] = positionsOf(pair);
    const [a, b] = [statements[low]?.truth, statements[high]?.truth];
    if (a === undefined || b === undefined || !isTrainingHalf(a) || !isTrainingHalf(b)) continue;
    const features = featuresOf(compiled[low] as Compiled, compiled[high] as Compiled, crowd);
    rows.push({ values: vectorOf(features), isMatch: a === b, weight: 1 });
  }
  const matches = rows.filter(({ isMatch }) => isMatch).length;
  for (const row of rows) row.weight = 3_000 / Math.max(matches, 1);
  console.error(`${corpus.name}: ${rows.length} pairs, ${matches} of one company`);
  return rows;
}

function vectorOf(features: Features): Float64Array {
  return Float64Array.from([1, ...FEATURES.map((name) => features[name] ?? 0)]);
}

/** Logistic regression by Newton's method; a weight of the wrong sign becomes 0 and the rest is learnt again. */
function learn(rows: readonly Row[]): Float64Array {
  const width = FEATURES.length + 1;
  let used = Array.from({ length: width }, (_, k) => k);
  for (;;) {
    const learnt = fit(rows, used);
    const wrong = used.filter((k, at) => {
      const name = FEATURES[k - 1] ?? '';
      const weight = learnt[at] ?? 0;
      return (POSITIVE.test(name) && weight < 0) || (NEGATIVE.test(name) && weight > 0);
    });
    if (wrong.length === 0) {
      const weights = new Float64Array(width);
      for (const [at, k] of used.entries()) weights[k] = learnt[at] ?? 0;
      return weights;
    }
    used = used.filter((k) => !wrong.includes(k));
  }
}

function fit(rows: readonly Row[], used: readonly number[]): Float64Array {
  const width = used.length;
  const weights = new Float64Array(width);
  for (let step = 0; step < 25; step += 1) {
    const gradient = new Float64Array(width);
    const hessian = Array.from({ length: width }, () => new Float64Array(width));
    for (const { values, isMatch, weight } of rows) {
      const at: number[] = [];
      let odds = 0;
      for (let k = 0; k < width; k += 1) {
        const value = values[used[k] ?? 0] ?? 0;
        if (value === 0) continue;
        at.push(k);
        odds += (weights[k] ?? 0) * value;
      }
      const chance = 1 / (1 + Math.exp(-odds));
      const error = (chance - (isMatch ? 1 : 0)) * weight;
      const bend = chance * (1 - chance) * weight;
      for (const k of at) {
        const value = values[used[k] ?? 0] ?? 0;
        gradient[k] = (gradient[k] ?? 0) + error * value;
        const line = hessian[k] as Float64Array;
        for (const j of at) line[j] = (line[j] ?? 0) + bend * value * (values[used[j] ?? 0] ?? 0);
      }
    }
    for (let k = 0; k < width; k += 1) {
      const name = FEATURES[(used[k] ?? 0) - 1] ?? 'nameSame';
      const ridge = HELD.has(name) ? RIDGE * HELD_BY : RIDGE;
      const prior = used[k] === 0 ? 0 : (PRIOR[name] ?? 0);
      gradient[k] = (gradient[k] ?? 0) + ridge * ((weights[k] ?? 0) - prior);
      const line = hessian[k] as Float64Array;
      line[k] = (line[k] ?? 0) + ridge;
    }
    const move = solve(hessian, gradient);
    const longest = Math.max(...move.map(Math.abs));
    const scale = Math.min(1, 3 / longest);
    for (let k = 0; k < width; k += 1) weights[k] = (weights[k] ?? 0) - scale * (move[k] ?? 0);
    if (longest < 1e-4) break;
  }
  return weights;
}

/** Solves a symmetric positive system by elimination. */
function solve(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const n = right.length;
  const rows = matrix.map((line, k) => [...line, right[k] ?? 0]);
  for (let k = 0; k < n; k += 1) {
    const pivot = rows[k] as number[];
    for (let j = 0; j < n; j += 1) {
      if (j === k) continue;
      const line = rows[j] as number[];
      const factor = (line[k] ?? 0) / (pivot[k] ?? 1);
      if (factor !== 0)
        for (let m = k; m <= n; m += 1) line[m] = (line[m] ?? 0) - factor * (pivot[m] ?? 0);
    }
  }
  return rows.map((line, k) => (line[n] ?? 0) / (line[k] ?? 1));
}

/** Chosen on the same half: `npm run bench -- resolution-quality --sweep=0,1,2,3`. */
const MATCH = { 1: 1.5, 2: 1 };
const tables = ([1, 2] as const).map((entity) => {
  const rows = corpora(entity, [10_000, 60_000]).flatMap(rowsOf);
  const [bias = 0, ...weights] = learn(rows);
  const lines = FEATURES.map(
    (name, k) => `      ${name}: ${Number((weights[k] ?? 0).toFixed(2))},`,
  );
  const head = `    bias: ${Number(bias.toFixed(2))},\n    match: ${MATCH[entity]},\n    review: -1,`;
  return `  ${entity}: {\n${head}\n    weights: {\n${lines.join('\n')}\n    },\n  },`;
});
console.log(`
/** Made by \`npm run bench -- resolution-train\`; docs/resolution.md has its report. */
export const WEIGHTS: Readonly<Record<1 | 2, WeightTable>> = {
${tables.join('\n')}
};`);
