// Tests docs/spec/similar.md 24.1, 24.2, 24.3, 24.4.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import fc from 'fast-check';
import { hourly } from '../../src/search/hourly.ts';
import {
  type Facts,
  likenessOfInvestors,
  likenessOfPortfolios,
  partsOf,
  scoreOf,
} from '../../src/similar/score.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';

const some = (...values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values));
const facts: fc.Arbitrary<Facts> = fc.record({
  tags: some('A', 'B', 'C', 'D'),
  words: some('a', 'b', 'c', 'd', 'e', 'f'),
  labels: some('b', 'c', 'e'),
  countries: some('X', 'Y'),
  regions: some('N', 'S'),
  cities: some('P', 'Q'),
  stages: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
  types: some('VentureFund', 'Angel'),
  size: fc.option(fc.integer({ min: 1, max: 9 })),
});
const kind = fc.constantFrom('startup', 'fund');
const likeness = fc.double({ min: 0, max: 1, noNaN: true });
const rarity = {
  ofTag: (tag: string) => ({ A: 0, B: 0.3, C: 0.6 })[tag] ?? 1,
  ofWord: (word: string) => ({ a: 0, b: 0.2, c: 0.5 })[word] ?? 0.9,
};

describe('the score', () => {
  test('is from 0 to 1, the same in both directions, and 1 only of what is alike in everything', () => {
    fc.assert(
      fc.property(kind, facts, facts, likeness, (of, one, other, shared) => {
        const score = (a: Facts, b: Facts) =>
          scoreOf(partsOf(of, a, b, { likeness: shared }, rarity));
        expect(score(one, other)).toBeGreaterThanOrEqual(0);
        expect(score(one, other)).toBeLessThanOrEqual(1);
        expect(score(one, other)).toBeCloseTo(score(other, one), 3);
        const [self, another] = [one, other].map((each) => ({ ...each, labels: [] }));
        if (self === undefined || another === undefined) throw new Error('Two facts are compared.');
        expect(score(self, self)).toBeGreaterThanOrEqual(score(self, another) - 1e-4);
      }),
    );
  });

  test('is never lowered by something else that both have', () => {
    const added = fc.constantFrom<(of: Facts) => Facts>(
      (of) => ({ ...of, tags: [...new Set([...of.tags, 'C'])] }),
      (of) => ({ ...of, tags: [...new Set([...of.tags, 'rare'])] }),
      (of) => ({ ...of, words: [...new Set([...of.words, 'c'])] }),
      (of) => ({ ...of, words: [...new Set([...of.words, 'rare'])] }),
      (of) => ({ ...of, cities: [...new Set([...of.cities, 'R'])] }),
      (of) => ({ ...of, types: [...new Set([...of.types, 'Other'])] }),
    );
    fc.assert(
      fc.property(kind, facts, facts, likeness, added, (of, one, other, shared, add) => {
        const score = (a: Facts, b: Facts) =>
          scoreOf(partsOf(of, a, b, { likeness: shared }, rarity));
        expect(score(add(one), add(other))).toBeGreaterThanOrEqual(score(one, other) - 1e-4);
      }),
    );
    const count = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(fc.array(count), count, count, (investments, one, other) => {
        expect(likenessOfInvestors([...investments, one])).toBeGreaterThanOrEqual(
          likenessOfInvestors(investments),
        );
        const both = Math.min(one, other);
        expect(likenessOfPortfolios(both + 1, one + 1, other + 1)).toBeGreaterThanOrEqual(
          likenessOfPortfolios(both, one, other),
        );
      }),
    );
  });
});

/** Startups: name, tags, city, country, description. */
const COMPANIES: readonly (readonly [string, string, string, string, string])[] = [
  ['Trucko', '{Trucking,Robotics}', 'Berlin', 'Germany', 'Software that drives autonomous trucks.'],
  [
    'Haulbot',
    '{Trucking,Robotics}',
    'Munich',
    'Germany',
    'Autonomous trucks that drive freight at night.',
  ],
  ['Roadbrain', '{Trucking,Software}', 'Paris', 'France', 'Drives trucks of carriers by itself.'],
  [
    'Staycation',
    '{Travel,Software}',
    'Paris',
    'France',
    'Books vacation rentals by the sea for families.',
  ],
  ['Seahome', '{Travel}', 'Nice', 'France', 'Vacation rentals with a view of the sea.'],
  ['Payrollo', '{HR,Software}', 'Berlin', 'Germany', 'Payroll for small companies.'],
  ['Wagely', '{HR,Software}', 'London', 'United Kingdom', 'Payroll and wages on the day of work.'],
  ['Farmy', '{Agriculture}', 'Lyon', 'France', 'Sensors for the soil of vineyards.'],
  ['Nothing', '{}', 'Berlin', 'Germany', ''],
  ['Blank', '{}', '', '', ''],
  [
    'Ledgero',
    '{Payments,Cards}',
    'Oslo',
    'Norway',
    'Payments with cards for merchants in Oslo since 2019.',
  ],
  [
    'Tillpay',
    '{Payments,Cards}',
    'Oslo',
    'Norway',
    'Payment by card for shops and merchants of Oslo, 2019.',
  ],
  ['Cashgate', '{Payments,Cards}', 'Bern', 'Switzerland', 'Cards and payments.'],
  ['Gone', '{Trucking,Robotics}', 'Berlin', 'Germany', 'Software that drives autonomous trucks.'],
];
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const idOf = (name: string) => `md5(${quoted(name)})::uuid`;
const SEED = `
  INSERT INTO venture.startup (id, name, tags, addresses, description, deleted_at) VALUES
  ${COMPANIES.map(
    ([name, tags, City, Country, description]) =>
      `(${idOf(name)}, ${quoted(name)}, ${quoted(tags)}, ${quoted(
        JSON.stringify(City === '' ? [] : [{ City, Country }]),
      )}, ${quoted(description)}, ${name === 'Gone' ? 'now()' : 'NULL'})`,
  ).join(', ')};
  UPDATE venture.startup SET members_count = CASE name WHEN 'Cashgate' THEN 60 ELSE 20 END
  WHERE name IN ('Ledgero', 'Tillpay', 'Cashgate');
  INSERT INTO venture.fund (id, name, tags, investment_stages)
  SELECT md5('fund' || n)::uuid, 'Fund ' || n, CASE WHEN n < 2 THEN '{Deep Tech}'::text[] ELSE '{}' END,
    CASE WHEN n < 3 THEN '{3}'::smallint[] ELSE '{}' END
  FROM generate_series(0, 4) n;
  INSERT INTO venture.holding (fund_id, startup_id)
  SELECT md5('fund' || f.n)::uuid, s.id FROM (VALUES (0, 'Payrollo'), (0, 'Farmy'), (0, 'Seahome'),
    (3, 'Payrollo'), (3, 'Farmy'), (4, 'Seahome'), (4, 'Wagely')) AS f(n, name)
  JOIN venture.startup s ON s.name = f.name;`;

const api = await closedAfterAll(openApi({ seed: SEED }));
const ids = new Map(
  (
    await api.sql.query<{ id: string; name: string }>(
      'SELECT id, name FROM venture.startup UNION ALL SELECT id, name FROM venture.fund',
    )
  ).rows.map(({ id, name }) => [name, id]),
);

interface Similar {
  readonly Id: string;
  readonly Name: string;
  readonly Score: number;
  readonly Country: readonly string[];
  readonly Reasons: readonly { Factor: string; Weight: number; Text: string }[];
}

const similar = async (name: string, query = {}) =>
  (await api.list(
    `/${name.startsWith('Fund') ? 'funds' : 'startups'}/${ids.get(name)}/similar`,
    query,
  )) as unknown as readonly Similar[];
const namesOf = (hits: readonly Similar[]) => hits.map(({ Name }) => Name);

describe('the answer', () => {
  test('has the companies of the same business first, with what they have in common', async () => {
    expect(namesOf(await similar('Trucko')).slice(0, 2)).toEqual(['Haulbot', 'Roadbrain']);
    expect(namesOf(await similar('Seahome'))[0]).toBe('Staycation');
    expect(namesOf(await similar('Wagely'))[0]).toBe('Payrollo');
    const [first] = await similar('Trucko', { top: '1' });
    expect(first).toMatchObject({ Type: 'startup', Name: 'Haulbot', Website: null });
    expect(first?.Reasons.map(({ Text }) => Text)).toEqual([
      'Both have the industries Robotics and Trucking',
      'Both profiles have the words autonomous and drives',
      'Both are in Germany',
    ]);
    const [fund] = await similar('Fund 3');
    expect(fund).toMatchObject({ Name: 'Fund 0' });
    expect(fund?.Reasons[0]?.Text).toMatch(
      /^Both invested in (Farmy and Payrollo|Payrollo and Farmy)$/,
    );
    // Shares one investor and no more.
    expect(namesOf(await similar('Farmy'))).toEqual(expect.arrayContaining(['Payrollo']));
  });

  test('names no word of a common industry or place, and no number, as something more in common, and sizes by their number', async () => {
    const reasonsFor = async (name: string) =>
      (await similar('Ledgero')).find((hit) => hit.Name === name)?.Reasons.map(({ Text }) => Text);
    expect(await reasonsFor('Tillpay')).toEqual([
      'Both have the industries Cards and Payments',
      'Both profiles have the word merchants',
      'Both are in Oslo',
      'Both have 11–50 people',
    ]);
    expect(await reasonsFor('Cashgate')).toEqual([
      'Both have the industries Cards and Payments',
      'They have 11–50 and 51–100 people',
    ]);
  });

  test('is ordered, has neither the company nor deleted ones, and is the same each time', async () => {
    for (const name of [...ids.keys()].filter((each) => each !== 'Gone')) {
      const hits = await similar(name);
      expect(await similar(name)).toEqual(hits);
      expect(namesOf(hits)).not.toContain(name);
      expect(namesOf(hits)).not.toContain('Gone');
      const order = hits.toSorted((a, b) => b.Score - a.Score || (a.Id < b.Id ? -1 : 1));
      expect(hits).toEqual(order);
      for (const { Score, Reasons } of hits) {
        expect(Score).toBeGreaterThan(0);
        expect(Score).toBeLessThanOrEqual(1);
        expect(Reasons.length).toBeGreaterThan(0);
        const total = Reasons.reduce((sum, { Weight }) => sum + Weight, 0);
        expect(total).toBeLessThanOrEqual(1.01);
      }
      expect(await similar(name, { top: '2' })).toEqual(hits.slice(0, 2));
      for (const back of hits.filter(
        ({ Name }) => name.startsWith('Fund') === Name.startsWith('Fund'),
      )) {
        const mirrored = (await similar(back.Name)).find(({ Name }) => Name === name);
        if (mirrored !== undefined) expect(mirrored.Score).toBeCloseTo(back.Score, 3);
      }
    }
    expect(await similar('Blank')).toEqual([]);
    // By its place, for want of anything else.
    expect(namesOf(await similar('Nothing')).toSorted()).toEqual(['Payrollo', 'Trucko']);
  });

  test('narrows by dimensions: what remains of the ranking, in the same order', async () => {
    for (const [narrowing, isKept] of [
      [{ country: 'Germany' }, ({ Country }: Similar) => Country.includes('Germany')],
      [
        { industry: 'Robotics,HR' },
        ({ Name }: Similar) => ['Haulbot', 'Payrollo', 'Wagely', 'Trucko'].includes(Name),
      ],
      [
        { exit_status: 'Held' },
        ({ Name }: Similar) => ['Payrollo', 'Farmy', 'Seahome', 'Wagely'].includes(Name),
      ],
    ] as const) {
      for (const name of ['Trucko', 'Payrollo', 'Staycation', 'Farmy']) {
        const kept = (await similar(name)).filter(isKept);
        const narrowed = await similar(name, narrowing);
        expect(narrowed.filter(({ Id }) => kept.some((hit) => hit.Id === Id))).toEqual(kept);
        expect(narrowed.every(isKept)).toBe(true);
      }
    }
  });

  test('costs one credit; an unknown or deleted company and an unknown value are free errors', async () => {
    const path = `/startups/${ids.get('Trucko')}/similar`;
    expect(chargedOf(await api.get(path))).toBe(1);
    for (const [at, query, status, code] of [
      [`/startups/${ids.get('Gone')}/similar`, {}, 404, 'not_found'],
      [`/funds/${ids.get('Trucko')}/similar`, {}, 404, 'not_found'],
      [path, { country: 'Atlantis' }, 400, 'unknown_value'],
      [path, { top: '101' }, 400, 'bad_parameter'],
      [path, { $top: '5' }, 400, 'unknown_parameter'],
    ] as const) {
      const reply = await api.get(at, query);
      expect([at, reply.status, errorOf(reply).code]).toEqual([at, status, code]);
      expect(chargedOf(reply)).toBe(0);
    }
  });
});

test('a sample is read once an hour; one that fails is read again, and that before stays', async () => {
  let nowMs = 0;
  let fails = true;
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (fails) throw new Error('unavailable');
    return reads;
  };
  const sample = hourly(read, () => nowMs);
  const database = { rows: async () => [] };
  await expect(sample(database)).rejects.toThrow('unavailable');
  fails = false;
  expect(await Promise.all([sample(database), sample(database)])).toEqual([2, 2]);
  nowMs = 3_600_000;
  fails = true;
  expect([await sample(database), await sample(database), reads]).toEqual([2, 2, 3]);
  nowMs *= 2;
  fails = false;
  expect([await sample(database), await sample(database), reads]).toEqual([2, 4, 4]);
});
