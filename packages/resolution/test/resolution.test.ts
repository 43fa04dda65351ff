import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BLOCK_MAX, BlockIndex } from '../src/block-index.ts';
import { ChangeIndex } from '../src/change-index.ts';
import type { Edge, Ruling } from '../src/cluster.ts';
import { type Compiled, compile } from '../src/compile.ts';
import { decide, reasonsOf } from '../src/decide.ts';
import { sizeClass } from '../src/features.ts';
import { KEYS_MAX, keysOf } from '../src/keys.ts';
import { edgeOf, Resolver, resolve } from '../src/resolver.ts';
import type { Statement } from '../src/statement.ts';
import { WEIGHTS } from '../src/weights.ts';

const ALONE = { statements: 10_000, holders: () => 1 };
const BERLIN = { countries: ['Germany'], cities: ['Berlin'] };
const PARIS = { countries: ['France'], cities: ['Paris'] };

let count = 0;
function statement(fields: Partial<Statement>): Compiled {
  count += 1;
  return compile({ id: `id${count}`, entity: 1, source: `s${count}`, name: 'Acme', ...fields });
}

const facts = fc.record({
  source: fc.constantFrom('a', 'b', 'c', 'd'),
  name: fc.constantFrom(
    'Blue Yonder',
    'BlueYonder Inc',
    'Zentrofy',
    'Zentrofi',
    'Nova',
    'Nova Labs',
  ),
  website: fc.constantFrom(null, 'http://zentrofy.com', 'https://www.nova.io/', 'https://nova.ai'),
  founded: fc.constantFrom(null, 2009, 2010, 2015),
  countries: fc.constantFrom([], ['Germany'], ['France']),
  cities: fc.constantFrom([], ['Berlin'], ['Paris']),
  people: fc.constantFrom([], ['Ada Lovelace'], ['Alan Turing']),
  identifiers: fc.constantFrom([], ['linkedin:nova'], ['linkedin:zentrofy']),
});
const corpus = fc
  .array(facts, { minLength: 2, maxLength: 14 })
  .map((list) => list.map((one, k) => compile({ ...one, id: `id${k + 10}`, entity: 1 })));
const companies = (statements: readonly Compiled[], rulings: readonly Ruling[] = []) =>
  [...resolve(statements, rulings).companyOf].sort().join('; ');

test('the companies depend on the set of statements, not on their order', () => {
  fc.assert(
    fc.property(corpus, fc.infiniteStream(fc.nat()), (statements, stream) => {
      const keys = [...stream.take(statements.length)];
      const shuffled = statements
        .map((one, k): [number, Compiled] => [keys[k] ?? 0, one])
        .sort(([a], [b]) => a - b);
      expect(companies(shuffled.map(([, one]) => one))).toBe(companies(statements));
    }),
  );
});

test('no company has two statements that a veto keeps apart, or two of one source', () => {
  fc.assert(
    fc.property(corpus, (statements) => {
      const { companyOf } = resolve(statements);
      const crowd = { statements: statements.length, holders: () => 1 };
      for (const a of statements) {
        for (const b of statements) {
          if (a === b || companyOf.get(a.id) === undefined) continue;
          if (companyOf.get(a.id) !== companyOf.get(b.id)) continue;
          expect(decide(a, b, crowd).veto).toBeNull();
          expect(a.source).not.toBe(b.source);
        }
      }
    }),
  );
});

test('a ruling to merge is followed and a ruling to keep apart holds for the whole company', () => {
  fc.assert(
    fc.property(corpus, (statements) => {
      const [first, second, third] = statements.map(({ id }) => id);
      if (first === undefined || second === undefined || third === undefined) return;
      const merge: Ruling = { low: first, high: second, verdict: 'merge' };
      const apart: Ruling = { low: second, high: third, verdict: 'apart' };
      const { companyOf, reviews } = resolve(statements, [merge, apart]);
      expect(companyOf.get(first)).toBe(companyOf.get(second));
      if (companyOf.has(third)) expect(companyOf.get(third)).not.toBe(companyOf.get(second));
      const ruled = reviews.filter(({ low, high }) => low === second && high === third);
      expect(ruled).toEqual([]);
    }),
  );
});

test('a comparison is symmetric', () => {
  fc.assert(
    fc.property(corpus, ([a, b]) => {
      if (a === undefined || b === undefined) return;
      const { features, weight, ...decision } = decide(a, b, ALONE);
      const other = decide(b, a, ALONE);
      expect({ ...decision, features }).toEqual({ ...decision, features: other.features });
      expect(other.weight).toBeCloseTo(weight, 9);
    }),
  );
});

test.each<[string, Partial<Statement>, Partial<Statement>]>([
  [
    'a site and a name',
    { website: 'acme-robots.com' },
    { website: 'https://www.acme-robots.com/en' },
  ],
  [
    'a site under another name',
    { website: 'zentrofy.com' },
    { name: 'Blue Yonder', website: 'zentrofy.com' },
  ],
  [
    'an identifier',
    { identifiers: ['lei:1'] },
    { name: 'Other', identifiers: ['lei:1'], ...PARIS },
  ],
  [
    'a rare name and a place',
    { name: 'Zentrofy', ...BERLIN },
    { name: 'ZENTROFY GmbH', ...BERLIN },
  ],
  ['a rare name alone', { name: 'Vestagenomics' }, { name: 'Vestagenomics, Inc.', ...BERLIN }],
  [
    'a former name',
    { name: 'Leaders (formerly Zentrofy)', ...BERLIN },
    { name: 'Zentrofy', ...BERLIN },
  ],
  [
    'a name and rounds in another place',
    { name: 'Zentrofy', ...BERLIN, rounds: [{ month: '2012-03', amount: 1_230_000 }] },
    { name: 'Zentrofy', ...PARIS, rounds: [{ month: '2012-04', amount: 1_230_000 }] },
  ],
  [
    'an identifier beside different founding years',
    { identifiers: ['wikidata:Q1'], founded: 2001 },
    { identifiers: ['wikidata:Q1'], founded: 2014 },
  ],
])('%s make one company', (_, one, other) => {
  const pair = [statement(one), statement(other)] as const;
  const { verdict, veto } = decide(...pair, ALONE);
  expect({ verdict, veto }).toEqual({ verdict: 'match', veto: null });
  expect(new Set(resolve(pair).companyOf.values()).size).toBe(1);
});

test.each<[string, string, Partial<Statement>, Partial<Statement>]>([
  ['sites', 'a common name and two sites', { website: 'acme.com' }, { website: 'acme.io' }],
  ['countries', 'a common name and two countries', { ...BERLIN }, { ...PARIS }],
  [
    'founded',
    'founding years far apart',
    { founded: 2001, ...BERLIN },
    { founded: 2009, ...BERLIN },
  ],
  [
    'ordinals',
    'two funds of a firm',
    { entity: 2, name: 'Acme Fund II' },
    { entity: 2, name: 'Acme Fund III' },
  ],
  [
    'parts',
    'a part in another country',
    { website: 'acme.com' },
    { name: 'Acme Japan', website: 'acme.com' },
  ],
  ['identifiers', 'two values of a scheme', { identifiers: ['lei:1'] }, { identifiers: ['lei:2'] }],
  ['same-source', 'one source', { source: 'x' }, { source: 'x' }],
])('%s: %s are two companies', (veto, _, one, other) => {
  const pair = [statement(one), statement(other)] as const;
  expect(decide(...pair, ALONE)).toMatchObject({ veto });
  expect(resolve(pair).companyOf.size).toBe(0);
});

test('of two companies of one source that fit as well none is taken, and both are for review', () => {
  const one = statement({ name: 'Zentrofy', ...BERLIN });
  const twins = [1, 2].map(() => statement({ name: 'Zentrofy', source: 'twins', ...BERLIN }));
  const { companyOf, reviews } = resolve([one, ...twins]);
  expect(companyOf.size).toBe(0);
  expect(reviews).toHaveLength(2);
});

test('a name that many of a source have says less', () => {
  const pair = [statement({ name: 'Zentrofy' }), statement({ name: 'Zentrofy' })] as const;
  const shared = { statements: 10_000, holders: () => 8 };
  expect(decide(...pair, shared).weight).toBeLessThan(decide(...pair, ALONE).weight);
});

test('the reasons of a decision add up to its weight, but for the bias of its table', () => {
  const decided = [{ ...BERLIN, founded: 2010 }, { name: 'Zentrofy' }, { tags: ['Robots'] }].map(
    (facts) => {
      const pair = [statement(facts), statement(facts)] as const;
      const { features, weight } = decide(...pair, ALONE);
      return weight - reasonsOf(pair[0], features).reduce((sum, reason) => sum + reason.weight, 0);
    },
  );
  for (const bias of decided) expect(bias).toBeCloseTo(WEIGHTS[1].bias, 5);
});

test('a crowd of one name costs no pairs, and its members are still found by what only two have', () => {
  const index = new BlockIndex(2_000);
  const all = Array.from({ length: 2_000 }, (_, k) =>
    statement({ name: 'Nova', cities: [`City ${k % 1_000}`], source: k < 1_000 ? 'a' : 'b' }),
  );
  for (const one of all) index.add(one.source === 'a' ? 0 : 1, keysOf(one));
  expect(index.pairs().length).toBe(1_000);
});

test('what a statement may cost is bounded, however long its texts and lists are', () => {
  const long = 'x, y (aka z) '.repeat(100_000);
  const many = Array.from({ length: 5_000 }, (_, k) => `${k} ${long.slice(0, 300)}`);
  const one = statement({
    ...{
      name: long,
      aliases: many,
      website: long,
      identifiers: many,
      countries: many,
      cities: many,
    },
    ...{ links: many, people: many, tags: many, description: long, formerSites: many },
    rounds: many.map((month) => ({ month, amount: 1.5 })),
  });
  expect(JSON.stringify(one).length).toBeLessThan(150_000);
  expect(keysOf(one).length).toBeLessThanOrEqual(KEYS_MAX);
  expect(decide(one, one, ALONE).veto).toBe('same-source');
  expect(BLOCK_MAX).toBeLessThan(100);
});

const edgesOf = (statements: readonly Compiled[]): Edge[] => {
  const resolver = new Resolver(statements.length + 1);
  for (const one of [...statements].sort((a, b) => (a.id < b.id ? -1 : 1))) resolver.add(one);
  return [...resolver.edges()];
};
const asLines = (edges: readonly Edge[]) => edges.map((edge) => JSON.stringify(edge)).sort();

test('what changed statements can change is compared, and the other pairs are as a full run finds them', () => {
  // Many of one name: blocks become too large to be compared, and small enough again.
  const crowd = fc.array(fc.tuple(fc.nat({ max: 59 }), fc.option(facts)), { maxLength: 30 });
  const start = fc.tuple(fc.infiniteStream(facts), fc.integer({ min: 36, max: 60 }));
  fc.assert(
    fc.property(start, crowd, ([stream, size], changes) => {
      const version = (k: number, one: Omit<Statement, 'id' | 'entity'>) =>
        compile({ ...one, name: k % 6 > 0 ? 'Nova' : one.name, id: `id${k + 10}`, entity: 1 });
      const before = new Map([...stream.take(size)].map((one, k) => [k, version(k, one)]));
      const now = new Map(before);
      for (const [k, one] of changes) {
        if (one === null) now.delete(k);
        else now.set(k, version(k, one));
      }
      const index = new ChangeIndex(changes.map(([k]) => `id${k + 10}`));
      for (const one of before.values()) index.addBefore(one.id, one.source, keysOf(one));
      for (const k of new Set(changes.map(([k]) => k))) {
        const one = now.get(k);
        if (one !== undefined) index.addNow(one);
      }
      const { ids, pairs } = index.affected();
      const byId = new Map([...now.values()].map((one) => [one.id, one]));
      const seen = index.crowdFor(byId.values());
      const compared = pairs.flatMap(([low, high]) => {
        const [a, b] = [byId.get(low), byId.get(high)];
        return (a && b && edgeOf(a, b, seen)) ?? [];
      });
      const kept = edgesOf([...before.values()]).filter(
        ({ low, high }) => !ids.has(low) && !ids.has(high),
      );
      fc.pre(sizeClass(now.size) === sizeClass(before.size));
      expect(asLines([...kept, ...compared])).toEqual(asLines(edgesOf([...now.values()])));
    }),
    { numRuns: 40 },
  );
});
