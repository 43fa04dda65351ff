// Tests docs/spec/assistants.md 18.4.
import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { acceptedArguments } from '../src/arguments.ts';
import { CATALOGUE, type Collection, fieldsWith } from '../src/catalogue.ts';
import { decodeCursor, encodeCursor } from '../src/cursor.ts';
import { fit, LEAST_TEXT_LENGTH } from '../src/fit.ts';
import { CHARACTERS_MAX } from '../src/page-size.ts';
import { boundedAnswer } from '../src/server.ts';
import { toolOf } from './tool-of.ts';

const ID = '7f1f7d5e-94e3-4c1f-9c54-6d6f2b1d9a01';
const sizeOf = (value: unknown) => JSON.stringify(value).length;

describe('a value that is fitted', () => {
  test('is the same within the bound', () => {
    const value = { records: [1, 2, 3], text: 'x' };
    expect(fit(value, 100)).toEqual({ value, isCut: false });
  });

  test('has shorter texts before shorter lists, and keeps all records', () => {
    const records = Array.from({ length: 5 }, () => ({ Description: 'x'.repeat(1_000) }));
    const { value } = fit({ records }, 2_000, 'records');
    expect(value.records).toEqual(Array(5).fill({ Description: `${'x'.repeat(299)}…` }));
    const shortest = fit({ records: [...records, { Tag: ['a', 'b', 'c'] }] }, 10, 'records').value;
    const Description = `${'x'.repeat(LEAST_TEXT_LENGTH - 1)}…`;
    expect(shortest.records).toEqual([
      ...Array(5).fill({ Description }),
      { Tag: ['a'], 'Tag@count': 3 },
    ]);
  });

  test('is never cut inside a character', () => {
    const text = `${'x'.repeat(298)}${'😀'.repeat(500)}`;
    expect(fit({ text }, 500).value.text).toBe(`${'x'.repeat(298)}…`);
    const unknown = { [`${'x'.repeat(99)}${'😀'.repeat(9)}`]: 1 };
    expect(() => acceptedArguments(toolOf('find_company').input, unknown)).toThrow(
      /argument x{99}\./,
    );
  });

  test('has as many elements of each list as fit, and the number of all', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
    const record = { Startups: ids(500), Tags: ids(3), Funds: ids(400), 'Funds@count': 4_000 };
    const { value } = fit({ record }, 1_000);
    const { Startups, Tags, Funds, ...counts } = value.record as Record<string, unknown[]>;
    expect(sizeOf(value)).toBeLessThanOrEqual(1_000);
    expect(sizeOf(value)).toBeGreaterThan(950);
    expect(Startups).toEqual(ids(Startups?.length ?? 0));
    expect(Funds).toHaveLength(Startups?.length ?? 0);
    expect(Tags).toEqual(ids(3));
    expect(counts).toEqual({ 'Startups@count': 500, 'Funds@count': 4_000 });
  });

  test('is shorter the smaller the bound, for any nesting of lists and texts', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary', maxLength: 500 }),
        fc.array(tie('tree'), { maxLength: 30 }),
        fc.record({ a: tie('tree'), b: tie('tree') }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.integer({ min: 10, max: 5_000 }), (value, max) => {
        const shortest = sizeOf(fit({ value }, 0).value);
        const { value: fitted, isCut } = fit({ value }, max);
        expect(sizeOf(fitted)).toBeLessThanOrEqual(Math.max(max, shortest));
        expect(isCut).toBe(sizeOf({ value }) > max);
      }),
      runs(200),
    );
  });
});

const RELATED: Readonly<Record<string, string>> = {
  ...{ Startups: 'startups', Startup: 'startups', Funds: 'funds', Fund: 'funds' },
  ...{ FundingRounds: 'rounds', Persons: 'people' },
};
const LONG = '"\n\u0001'.repeat(300);

function largestOf(name: string, { fields }: Collection): unknown {
  const { type = '', values } = fields[name] ?? {};
  const isNumber = values?.['1'] !== undefined;
  const one: Readonly<Record<string, unknown>> = {
    ...{ uuid: '7f1f7d5e-94e3-4c1f-9c54-6d6f2b1d9a01', date: '2026-01-01', year: 2026 },
    ...{ integer: 2_147_483_647, usd: 999_999_999_999, number: 1.234567890123e-7 },
    ...{ instant: '2026-01-01T00:00:00.000Z', boolean: false, closed: isNumber ? 1 : LONG },
  };
  if (name === 'Startup' && type === 'text') return { Id: one.uuid, Name: LONG, Website: LONG };
  const value = one[type.replace('[]', '')] ?? LONG;
  return type.endsWith('[]') ? Array(30).fill(value) : value;
}

/** The largest record that the API can return for a call. */
function largest(collection: string, { $select, $expand }: Readonly<Record<string, unknown>>) {
  const found = CATALOGUE.collections[collection];
  if (found === undefined) throw new Error(`There is no collection ${collection}.`);
  const all = fieldsWith(found, 'show');
  const names = $select === undefined ? all : String($select).split(',');
  const relations = [...String($expand ?? '').matchAll(/(\w+)(?:\(.*?\$top=(\d+)\))?/g)];
  const record: Record<string, unknown> = {};
  for (const name of names) record[name] = largestOf(name, found);
  for (const [, name = '', top] of relations) {
    const target = CATALOGUE.collections[RELATED[name] ?? ''];
    const fields = target === undefined ? [] : fieldsWith(target, 'show');
    const element: Record<string, unknown> = target
      ? Object.fromEntries(fields.map((each) => [each, largestOf(each, target)]))
      : members(name);
    record[name] = top === undefined ? element : Array(Number(top)).fill(element);
    if (top === undefined) continue;
    record[`${name}@count`] = 1_000_000;
    record[`${name}@nextLink`] = LONG;
  }
  return record;
}

/** The members of an element that is no record. */
function members(relation: string): Record<string, unknown> {
  if (/^(Tags|Groups)$/.test(relation)) return { Name: LONG };
  const names =
    relation === 'Addresses' ? 'Street,PostalCode,City,Region,Country' : 'Value,Name,Slug,Label';
  return Object.fromEntries(names.split(',').map((name) => [name, LONG]));
}

describe('the answer of a page', () => {
  const list = toolOf('list_records');
  const CURSOR = 'x'.repeat(450);
  const answerOf = (args: Record<string, unknown>) => {
    const { parameters } = list.call?.(args) ?? {};
    const { $top } = parameters as { readonly $top: number };
    const data = Array(Number($top)).fill(largest(String(args.collection), parameters ?? {}));
    const response = { data, hasNext: true, cursor: CURSOR, limit: null };
    const expanded = String((parameters as { $expand?: string }).$expand ?? '');
    const longElements = [...expanded.matchAll(/(\w+)\(.*?\$top=(\d+)/g)]
      .filter(([, name = '']) => RELATED[name] !== undefined)
      .reduce((sum, [, , elements]) => sum + Number(elements), 0);
    return { $top, answer: boundedAnswer(list, args, response), longElements };
  };
  const collections = Object.entries(CATALOGUE.collections);
  const withParent = (collection: string) =>
    ({ portfolio: { fund_id: FUND }, references: { startup_id: FUND } })[collection] ?? {};
  const FUND = '0b0f7d5e-94e3-4c1f-9c54-6d6f2b1d9a02';

  test('shows every record that was asked for, however large, for any fields and relations', () => {
    const calls = fc.constantFrom(...collections).chain(([collection, found]) =>
      fc.record({
        collection: fc.constant(collection),
        top: fc.integer({ min: 1, max: 100 }),
        select: fc.option(fc.subarray(fieldsWith(found, 'show'), { minLength: 1 })),
        expand: fc.subarray(Object.keys(found.relations)),
      }),
    );
    fc.assert(
      fc.property(calls, (given) => {
        const asked = { ...given, ...withParent(given.collection) };
        const { $top, answer, longElements } = answerOf(acceptedArguments(list.input, asked));
        expect(sizeOf(answer) + 100).toBeLessThanOrEqual(CHARACTERS_MAX);
        expect(answer.records).toHaveLength($top);
        // Texts have at most 10,000 characters, so a response has at most some two megabytes.
        expect($top * (1 + longElements)).toBeLessThanOrEqual(200);
        expect(decodeCursor(answer.next_cursor)).toEqual({ skip: $top, token: CURSOR });
      }),
      runs(60),
    );
  });

  test.each([
    [{ collection: 'startups', top: 100 }, 45],
    [{ collection: 'startups', top: 100, select: 'Id,Name' }, 100],
    [{ collection: 'startups', top: 100, expand: 'Tags,Addresses,Funds,FundingRounds,Persons' }, 5],
    [{ collection: 'rounds', top: 100 }, 70],
    [{ collection: 'news', top: 100 }, 80],
    [{ collection: 'funds', top: 3 }, 3],
  ])('of %j has at least %i records', (args, least) => {
    const { $top, answer } = answerOf(args);
    expect($top).toBeGreaterThanOrEqual(least);
    expect('hint' in answer).toBe($top < args.top);
  });

  test('has a hint if the filter matches nothing', () => {
    const hint = { hint: expect.stringContaining('narrow') };
    const nothing = { data: [], hasNext: false, cursor: null, limit: null };
    const answer = (args: object) => boundedAnswer(list, { collection: 'funds', ...args }, nothing);
    expect(answer({ filter: "Name eq 'x'" })).toEqual({ records: [], ...hint });
    expect(answer({})).toEqual({ records: [] });
    const response = { ...nothing, data: { count: 0 } };
    expect(toolOf('count_records').answer({ filter: "Name eq 'x'" }, response)).toEqual({
      count: 0,
      ...hint,
    });
  });

  test.each([
    ['follow_changes', 'signals', 40],
    ['recent_activity', 'entries', 50],
  ])('%s shows every entry that was asked for, however long its texts', (name, member, least) => {
    const tool = toolOf(name);
    const { parameters = {} } = tool.call?.({ limit: 50 }) ?? {};
    const asked = Number(parameters.limit ?? parameters.$top);
    const company = { type: 'startup', id: FUND, name: LONG, domain: LONG };
    const entry = {
      ...{ id: FUND, type: 'portfolio.company_added', detectedAt: '2026-01-01T00:00:00.000000Z' },
      ...{ occurredAt: '2026-01-01T00:00:00.000Z', subject: company, object: company },
      ...{ amount: 999_999_999_999, label: LONG },
    };
    const entries = Array(asked).fill(entry);
    const data =
      name === 'follow_changes' ? { signals: entries, hasMore: true, nextCursor: 'c' } : entries;
    const response = { data, hasNext: true, cursor: CURSOR, limit: null };
    const answer = boundedAnswer(tool, {}, response);
    expect(asked).toBeGreaterThanOrEqual(least);
    expect(answer[member]).toHaveLength(asked);
    expect(sizeOf(answer) + 100).toBeLessThanOrEqual(CHARACTERS_MAX);
    expect(answer).toHaveProperty('next_cursor');
  });
});

describe('groups', () => {
  const aggregates = toolOf('aggregate_records');
  const measures = ['sum', 'average', 'min', 'max', 'median', 'p25', 'p75', 'p90'].map(
    (of) => `${of}(Amount)`,
  );
  /** The service: `count` groups in the order that the call asks for. */
  const responseTo = (args: Record<string, unknown>, count: number) => {
    const { parameters = {} } = aggregates.call?.(args) ?? {};
    const { skip = 0, top, orderby } = parameters as Record<string, number>;
    const [key = ''] = args.by as string[];
    const all = Array.from({ length: count }, (_, index) => ({
      [key]: String(1_000 + index),
      ...Object.fromEntries(measures.map((each) => [each, 123_456_789_012])),
      known: { Amount: 27 },
    }));
    const ordered = String(orderby).endsWith(' desc') ? all.toReversed() : all;
    const page = ordered.slice(skip, skip + Number(top));
    const data = { ...{ entity: 'rounds', by: [key], narrowedBy: {}, rows: page, total: {} } };
    const groups = { groups: count, more: count > skip + page.length };
    return { data: { ...data, ...groups }, hasNext: false, cursor: null, limit: null };
  };
  const asked = (args: Record<string, unknown>, count: number) =>
    boundedAnswer(aggregates, args, responseTo(args, count)) as {
      rows: Record<string, unknown>[];
      more: boolean;
      next_skip?: number;
      hint?: string;
    };

  test.each(['industry', 'quarter(Date)'])(
    'by %s are all shown once if next_skip is followed, whole rows only',
    (key) => {
      const seen: unknown[] = [];
      const args = { entity: 'rounds', measures, by: [key], top: 200 };
      for (let skip: number | undefined = 0; skip !== undefined; ) {
        const answer = asked({ ...args, ...(skip > 0 && { skip }) }, 191);
        expect(sizeOf(answer)).toBeLessThanOrEqual(CHARACTERS_MAX);
        expect(answer.more).toBe(answer.next_skip !== undefined);
        seen.push(...answer.rows.map((row) => row[key]));
        skip = answer.next_skip;
      }
      expect(seen.toSorted()).toEqual(Array.from({ length: 191 }, (_, i) => String(1_000 + i)));
    },
  );

  test('of time that do not fit are the newest, and the answer says so', () => {
    const args = { entity: 'rounds', measures: ['count'], by: ['quarter(Date)'] };
    const some = asked(args, 90);
    expect(some.rows[0]?.['quarter(Date)']).toBe('1089');
    expect(some).toMatchObject({
      more: true,
      next_skip: 25,
      hint: expect.stringMatching(/Newest first/),
    });
    const all = asked(args, 20);
    expect(all.rows[0]?.['quarter(Date)']).toBe('1000');
    expect([all.more, all.hint]).toEqual([false, undefined]);
    const ordered = asked({ ...args, orderby: 'quarter(Date)' }, 90);
    expect(ordered.rows[0]?.['quarter(Date)']).toBe('1000');
  });

  test('of dimensions name those with further values, and no label is shortened', () => {
    const tool = toolOf('count_by_category');
    const dimensions = ['industry', 'country', 'region', 'city'];
    const label = 'A label that is longer than the shortest text'.repeat(2);
    const values = Array.from({ length: 101 }, () => ({ value: label, label, count: 1 }));
    const facets = Object.fromEntries(dimensions.map((id) => [id, values]));
    const data = { entity: 'startups', total: 1, narrowedBy: {}, facets: { ...facets, stage: [] } };
    const response = { data, hasNext: false, cursor: null, limit: null };
    const args = { dimensions: [...dimensions, 'stage'], top: 100 };
    const answer = boundedAnswer(tool, args, response) as {
      counts: Record<string, { label: string }[]>;
    };
    expect(sizeOf(answer)).toBeLessThanOrEqual(CHARACTERS_MAX);
    expect(answer).toMatchObject({
      more: dimensions,
      cut: expect.stringMatching(/fewer dimensions/),
    });
    for (const id of dimensions) {
      expect(answer.counts[id]?.length).toBeGreaterThan(10);
      expect(answer.counts[id]?.[0]?.label).toBe(label);
    }
  });
});

describe('a cursor', () => {
  test('continues after the records before, with the position of the API if that is short', () => {
    for (const token of [undefined, 'a-_1']) {
      expect(decodeCursor(encodeCursor({ skip: 7, token }))).toEqual({ skip: 7, token });
    }
    const long = encodeCursor({ skip: 7, token: 'x'.repeat(6_000) });
    expect(decodeCursor(long)).toEqual({ skip: 7, token: undefined });
    expect(() => decodeCursor('eyJ')).toThrow(/cursor must be next_cursor/);
  });
});

test('fetch has the text of any record within the bound of an answer', () => {
  const strange = '"\\\n\u0001'.repeat(9_000);
  const rounds = Array.from({ length: 400 }, (_, n) => ({
    Id: ID,
    Stage: 'Seed',
    Note: `"${n}"`,
  }));
  const data = {
    Id: ID,
    Name: 'Acme',
    Website: null,
    Description: strange,
    FundingRounds: rounds,
  };
  const response = { data, hasNext: false, cursor: null, limit: null };
  const found = boundedAnswer(toolOf('fetch'), { id: `startups/${ID}` }, response);
  expect(JSON.stringify(found).length).toBeLessThan(25_000);
  expect(found).toMatchObject({ title: 'Acme', url: `vcds://startups/${ID}` });
  expect(String(found.text).length).toBeGreaterThan(5_000);
  expect(found.metadata).toMatchObject({ shortened: 'true' });
});
