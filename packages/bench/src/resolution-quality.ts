/**
 * Measures packages/resolution on the half of the companies that it did not learn from:
 * `npm run bench -- resolution-quality [--sizes=10000,100000] [--show=20]`.
 */
import {
  type Compiled,
  type Crowd,
  cluster,
  compile,
  decide,
  type Edge,
  featuresOf,
  Resolver,
  WEIGHTS,
} from '@vcds/resolution';
import { type Corpus, corpora, isTrainingHalf } from './resolution/corpora.ts';
import { option } from './resolution/options.ts';

const STRATA = [
  'all',
  'site in both',
  'no site',
  'same name',
  'other name',
  'country missing',
  'other name, country missing',
  'other name, nothing else in common',
] as const;
type Stratum = (typeof STRATA)[number];
type Tally = { right: number; wrong: number; missed: number; lost: number };

const show = Number(option('show', '0'));
const sweep = option('sweep', '')
  .split(',')
  .filter((text) => text !== '')
  .map(Number);

/** Evidence beside the name that two companies seldom share. */
const RARELY_SHARED = [
  'siteSame',
  'identifierSame',
  'roundsSame',
  'newsSame',
  'peopleSame',
  'linksSame',
  'totalSame',
  'textSame',
] as const;

function strataOf(a: Compiled, b: Compiled, crowd: Crowd): Stratum[] {
  const isOther = a.names[0]?.compact !== b.names[0]?.compact;
  const features = featuresOf(a, b, crowd);
  const isUnknowable =
    features.nameOther !== undefined && RARELY_SHARED.every((name) => features[name] === undefined);
  const isMissing = a.countries.length === 0 || b.countries.length === 0;
  return [
    'all',
    a.sites.length > 0 && b.sites.length > 0 ? 'site in both' : 'no site',
    isOther ? 'other name' : 'same name',
    ...(isMissing ? (['country missing'] as const) : []),
    ...(isMissing && isOther ? (['other name, country missing'] as const) : []),
    ...(isUnknowable ? (['other name, nothing else in common'] as const) : []),
  ];
}

function measure(corpus: Corpus, entity: 1 | 2): void {
  const truths = new Map<string, string | undefined>();
  const resolver = new Resolver(corpus.size);
  for (const { statement, truth } of corpus.statements()) {
    truths.set(statement.id, truth);
    resolver.add(compile(statement));
  }
  const startMs = performance.now();
  const edges = [...resolver.edges()];
  const crowd = resolver.crowd();
  const isApart = (low: string, high: string) => {
    const [a, b] = [resolver.find(low), resolver.find(high)];
    return a !== undefined && b !== undefined && decide(a, b, crowd).veto !== null;
  };
  const seen = new Set(edges.map(({ low, high }) => `${low} ${high}`));
  for (const match of sweep.length > 0 ? sweep : [WEIGHTS[entity].match]) {
    const again =
      sweep.length === 0
        ? edges
        : edges.map(
            (edge): Edge => ({ ...edge, verdict: edge.weight >= match ? 'match' : 'review' }),
          );
    const { companyOf, reviews } = cluster(again, [], isApart);
    const seconds = (performance.now() - startMs) / 1000;
    const half = sweep.length > 0;
    const result = { truths, find: (id: string) => resolver.find(id), companyOf, crowd, half };
    const { rss } = process.memoryUsage();
    print(
      `${corpus.name}, entity ${entity}, match from ${match}: ${resolver.statements} statements, ${resolver.candidates} pairs compared, ${edges.length} edges, ${reviews.length} for review, ${seconds.toFixed(1)} s, ${Math.round(rss / 1e6)} MB`,
      tallyOf({ ...result, seen }),
    );
    console.log(companiesText(result));
    if (show > 0) showErrors({ ...result, edges });
  }
}

interface Result {
  readonly truths: ReadonlyMap<string, string | undefined>;
  readonly find: (id: string) => Compiled | undefined;
  readonly crowd: Crowd;
  readonly companyOf: ReadonlyMap<string, string>;
  readonly half: boolean;
}

/** The pairs of each group, if both are of the half and their truth is known. */
function* pairsOf(
  groups: Iterable<readonly string[]>,
  { truths, find, half }: Result,
): Generator<[Compiled, Compiled]> {
  for (const ids of groups) {
    for (const [k, low] of ids.entries()) {
      for (const high of ids.slice(k + 1)) {
        const [a, b] = [truths.get(low), truths.get(high)];
        if (
          a === undefined ||
          b === undefined ||
          isTrainingHalf(a) !== half ||
          isTrainingHalf(b) !== half
        )
          continue;
        const [one, other] = [find(low), find(high)];
        if (one !== undefined && other !== undefined && one.source !== other.source)
          yield [one, other];
      }
    }
  }
}

function groupsOf(
  keys: Iterable<readonly [string, string | undefined]>,
): Iterable<readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, key] of keys) {
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [id]);
    else group.push(id);
  }
  return groups.values();
}

function tallyOf(result: Result & { seen: ReadonlySet<string> }): ReadonlyMap<Stratum, Tally> {
  const { truths, companyOf, crowd, seen } = result;
  const tallies = new Map<Stratum, Tally>(
    STRATA.map((name) => [name, { right: 0, wrong: 0, missed: 0, lost: 0 }]),
  );
  const add = (a: Compiled, b: Compiled, what: keyof Tally) => {
    for (const name of strataOf(a, b, crowd)) (tallies.get(name) as Tally)[what] += 1;
  };
  for (const [a, b] of pairsOf(groupsOf(companyOf), result))
    add(a, b, truths.get(a.id) === truths.get(b.id) ? 'right' : 'wrong');
  for (const [a, b] of pairsOf(groupsOf(truths), result)) {
    const isFound =
      companyOf.get(a.id) !== undefined && companyOf.get(a.id) === companyOf.get(b.id);
    if (!isFound) add(a, b, 'missed');
    const [low, high] = a.id < b.id ? [a.id, b.id] : [b.id, a.id];
    if (!isFound && !seen.has(`${low} ${high}`)) add(a, b, 'lost');
  }
  return tallies;
}

/** A share with Wilson's interval of 95 %. */
function share(right: number, all: number): string {
  if (all === 0) return '–';
  const [p, z] = [right / all, 1.96];
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half =
    (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  return `${p.toFixed(4)} (${(middle - half).toFixed(4)}–${(middle + half).toFixed(4)})`;
}

/** Whole companies: those made of two or more statements, and those that are. */
function companiesText({ truths, companyOf, half }: Result): string {
  const isOf = (id: string): boolean => {
    const truth = truths.get(id);
    return truth !== undefined && isTrainingHalf(truth) === half;
  };
  const keyOf = (ids: readonly string[]): string => [...ids].filter(isOf).sort().join();
  const several = (groups: Iterable<readonly string[]>): Set<string> =>
    new Set([...groups].map(keyOf).filter((key) => key.includes(',')));
  const [made, real] = [several(groupsOf(companyOf)), several(groupsOf(truths))];
  const exact = [...made].filter((key) => real.has(key)).length;
  return `whole companies: precision ${share(exact, made.size)}, recall ${share(exact, real.size)}`;
}

function print(title: string, tallies: ReadonlyMap<Stratum, Tally>): void {
  console.log(
    `\n${title}\n\n| pairs | precision | recall | right | wrong | missed, of them not compared or far |\n|---|---|---|---|---|---|`,
  );
  for (const [name, { right, wrong, missed, lost }] of tallies) {
    if (right + wrong + missed === 0) continue;
    console.log(
      `| ${name} | ${share(right, right + wrong)} | ${share(right, right + missed)} | ${right} | ${wrong} | ${missed}, ${lost} |`,
    );
  }
}

function showErrors(result: Result & { edges: readonly Edge[] }): void {
  const { truths, companyOf, edges } = result;
  const weights = new Map(
    edges.map((edge) => [
      `${edge.low} ${edge.high}`,
      `${edge.weight.toFixed(1)}${edge.veto !== null ? ' vetoed' : ''}`,
    ]),
  );
  const text = ({ names, sites, countries, cities, founded }: Compiled) =>
    [
      names.map(({ compact }) => compact).join('/'),
      sites[0] ?? '',
      countries[0] ?? '',
      cities[0] ?? '',
      founded || '',
    ].join(',');
  const line = (a: Compiled, b: Compiled) => {
    const [low, high] = a.id < b.id ? [a, b] : [b, a];
    return `${text(low)} | ${text(high)} | ${weights.get(`${low.id} ${high.id}`) ?? '-'}`;
  };
  const wrong = [...pairsOf(groupsOf(companyOf), result)].filter(
    ([a, b]) => truths.get(a.id) !== truths.get(b.id),
  );
  const missed = [...pairsOf(groupsOf(truths), result)].filter(
    ([a, b]) => companyOf.get(a.id) === undefined || companyOf.get(a.id) !== companyOf.get(b.id),
  );
  for (const [a, b] of wrong.slice(0, show)) console.log('wrong ', line(a, b));
  for (const [a, b] of missed.slice(0, show)) console.log('missed', line(a, b));
}

const sizes = option('sizes', '10000,100000')
  .split(',')
  .filter((text) => text !== '')
  .map(Number);
const entities = option('entities', '1,2').split(',').map(Number);
for (const entity of ([1, 2] as const).filter((each) => entities.includes(each)))
  for (const corpus of corpora(entity, sizes)) measure(corpus, entity);
