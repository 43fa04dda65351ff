// Tests docs/spec/errors.md 11.6.
import { describe, expect, test } from '@jest/globals';
import { bindFilter, type FieldSpec, fieldTable, parseFilter, QueryError } from '@vcds/odata-query';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { FIELDS, STAGES } from './example-table.ts';

const TODAY = '2026-03-31';
const UUID = '5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11';

const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  Tag: ['Industry', 'Sectors'],
  MembersCount: ['Employees'],
  Date: ['LastRound'],
  LastFundingStage: ['LastRound'],
};
const OTHER: FieldSpec = {
  name: 'OperatingStatus',
  type: 'closed',
  closed: ['Active', 'Closed'].map((name) => ({ value: name, name, slug: name, label: name })),
  filterable: true,
  sortable: false,
};
const TABLE = fieldTable(
  [...FIELDS, OTHER].map((field) => ({ ...field, synonyms: SYNONYMS[field.name] })),
  'startup',
);

/** The error for a filter; undefined when it is accepted. */
function errorIn(source: string): QueryError | undefined {
  try {
    const node = parseFilter(source, { fields: TABLE, today: TODAY });
    bindFilter(node, TABLE, { source, today: TODAY });
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** The filter with the suggestion in place of the text at fault, as docs/spec/errors.md says. */
function repaired(source: string, { position, value, field, suggestion }: QueryError): string {
  const fault = value ?? field;
  const at = fault === undefined ? -1 : source.indexOf(fault, position);
  if (at < 0 || fault === undefined || suggestion === undefined) {
    throw new Error(`${source}: nothing to replace`);
  }
  return source.slice(0, at) + suggestion + source.slice(at + fault.length);
}

describe('a suggestion fits the field, and sent in place of the fault it is accepted', () => {
  test.each([
    ['Name eq New York', "Name eq 'New York'"],
    ['Name eq New York and Founded gt 2010', "Name eq 'New York' and Founded gt 2010"],
    ['(Name eq Bang and Olufsen)', "(Name eq 'Bang and Olufsen')"],
    ['Name eq "Milk"', "Name eq 'Milk'"],
    ['Name eq ‘Milk’', "Name eq 'Milk'"],
    ["Name eq 'O'Neil'", "Name eq 'O''Neil'"],
    ["Name eq 'Milk", "Name eq 'Milk'"],
    ['Name eq 5 Seconds of Summer', "Name eq '5 Seconds of Summer'"],
    ['Name eq Foo (UK)', "Name eq 'Foo (UK)'"],
    ['Name eq 42', "Name eq '42'"],
    ['Tag in (deep-tech, ai)', "Tag in ('deep-tech','ai')"],
    ['Tag in ["a","b"]', "Tag in ('a','b')"],
    ["Tag in 'a'", "Tag in ('a')"],
    ['Tag in Fintech, Health', "Tag in ('Fintech','Health')"],
    ['Name like acme*', "Name like 'acme%'"],
    ["Name like 'acme*'", "Name like 'acme%'"],
    ['Founded ge 2,010', 'Founded ge 2010'],
    ['Founded ge 2010-01-01', 'Founded ge 2010'],
    ['TotalRaised ge 1_000_000', 'TotalRaised ge 1000000'],
    ['TotalRaised ge 1,000,000', 'TotalRaised ge 1000000'],
    ['TotalRaised ge $1,000,000', 'TotalRaised ge 1000000'],
    ["TotalRaised ge '1,000,000'", "TotalRaised ge '1000000'"],
    ['TotalRaised gt 5M', 'TotalRaised gt 5000000'],
    ['TotalRaised gt $1.5bn', 'TotalRaised gt 1500000000'],
    ['TotalRaised gt 10 million', 'TotalRaised gt 10000000'],
    ['MembersCount gt 250+', 'MembersCount gt 250'],
    ['Share gt .5', 'Share gt 0.5'],
    ['Confirmed eq yes', 'Confirmed eq true'],
    ["Confirmed eq 'no'", "Confirmed eq 'false'"],
    ['Confirmed eq 1', 'Confirmed eq true'],
    ['Date ge today', 'Date ge 2026-03-31'],
    ['Date ge now()', 'Date ge 2026-03-31'],
    ['Date ge 30 days ago', 'Date ge 2026-03-01'],
    ['Date ge 2012/9/3', 'Date ge 2012-09-03'],
    ['Date ge 2012', 'Date ge 2012-01-01'],
    ['Date ge 3 Sept 2012', 'Date ge 2012-09-03'],
    ['Date ge 25/12/2012', 'Date ge 2012-12-25'],
    ['Date le 2012-02-30', 'Date le 2012-02-29'],
    ['UpdatedTimeStamp ge yesterday', 'UpdatedTimeStamp ge 2026-03-30'],
    ["UpdatedTimeStamp ge '2012-02-29 10:00'", "UpdatedTimeStamp ge '2012-02-29'"],
    ['Founded eq None', 'Founded eq null'],
    ['LastFundingStage eq Series A', "LastFundingStage eq 'Series A'"],
    ["LastFundingStage eq 'series a'", "LastFundingStage eq 'Series A'"],
    ["LastFundingStage ge 'Series A'", "LastFundingStage in ('Series A','Series B')"],
    ['LastFundingStage lt 3', "LastFundingStage in ('Pre-seed')"],
    ['LastFundingStage ge Series A', "LastFundingStage in ('Series A','Series B')"],
    [
      'LastFundingStage gt Seed and Founded gt 2010',
      "LastFundingStage in ('Series A','Series B') and Founded gt 2010",
    ],
    [
      'Founded gt 2010 and LastFundingStage lt "Seed"',
      "Founded gt 2010 and LastFundingStage in ('Pre-seed')",
    ],
    ["LastFundingStage eq 'Active'", "OperatingStatus eq 'Active'"],
    [`Id eq {${UUID}}`, `Id eq ${UUID}`],
    ["Industry eq 'AI'", "Tag eq 'AI'"],
    ['Employees ge 50', 'MembersCount ge 50'],
    ['LastRound ge 2020-01-01', 'Date ge 2020-01-01'],
    ["LastRound eq 'Seed'", "LastFundingStage eq 'Seed'"],
    ['Founded=2010', 'Founded eq 2010'],
    ["Title = 'x'", "Title like 'x'"],
    ['Title like a\\', "Title like 'a\\\\'"],
    ["Title like 'a\\'", "Title like 'a\\\\'"],
    ["Name like 'O''x\\'", "Name like 'O''x\\\\'"],
    ["Name like 'a*\\'", "Name like 'a%\\\\'"],
    ['Founded == (1999,2000)', 'Founded in (1999,2000)'],
    ["Tag is ('a','b')", "Tag in ('a','b')"],
    ["Tag != ('a')", "Tag notin ('a')"],
    ['Founded >= null', 'Founded ne null'],
    ['Founded >= 2010 && Name eq null', 'Founded ge 2010 and Name eq null'],
    ["Name eq 'a' Founded gt 1", "Name eq 'a' and Founded gt 1"],
    ["contains(Name,'x') eq true", "Name like '%x%'"],
    ["Name startswith 'x'", "Name like 'x%'"],
    ['Founded between 2010 and 2012', 'Founded ge 2010 and Founded le 2012'],
    ['Founded is not null', 'Founded ne null'],
    ["Tag not in ('a')", "Tag notin ('a')"],
    ['2010 lt Founded', 'Founded gt 2010'],
    ["Title eq 'x'", "Title like 'x'"],
    ['Founded gt null', 'Founded ne null'],
  ])('%s → %s', (written, meant) => {
    let filter = written;
    for (let slips = 0; slips < 3; slips++) {
      const error = errorIn(filter);
      if (error === undefined) break;
      filter = repaired(filter, error);
    }
    expect([filter, errorIn(filter)]).toEqual([meant, undefined]);
  });

  test.each([
    'Id eq Stripe',
    'Id eq 0 0-',
    'Date ge 03/09/2012',
    'TotalRaised gt 2,5',
    'TotalRaised gt €5m',
    'Founded gt 2k',
    'Founded gt Price',
    'Confirmed eq perhaps',
    'LastFundingStage eq Series I',
    "LastFundingStage gt 'Series B'",
    'Name eq "a" "b"',
    `Id >= ${UUID}`,
    'Founded contains 2',
    `Name eq ${'x '.repeat(200)}`,
  ])('where nothing is near nothing is suggested: %s', (filter) => {
    expect(errorIn(filter)).toMatchObject({ suggestion: undefined });
  });

  test('nor where the value itself is not at fault', () => {
    const patterns = Array.from({ length: 11 }, (_, n) => `Name like '${n}'`);
    const error = errorIn(patterns.join(' and '));
    expect(error).toMatchObject({ code: 'bad_filter', suggestion: undefined });
    expect(error?.message).toMatch(/^A filter can have at most 10 like patterns/u);
  });

  test('a fault of the field comes before that of its value', () => {
    expect(errorIn('Industry eq Deep Tech')).toMatchObject({
      code: 'unknown_field',
      suggestion: 'Tag',
      message: 'Unknown field "Industry" on startup; did you mean Tag?',
    });
    expect(errorIn('Confirmed gt yes')).toMatchObject({ code: 'operator_not_supported' });
  });
});

const plain = (text: string | undefined) => text?.replace(/^'|'$/g, '').trim();

test('whatever is written, a suggestion repairs its own place', () => {
  const field = fc.constantFrom(...TABLE.keys(), 'Industry', 'LastRound', 'Nmae');
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'le', 'like', 'in', '=', 'contains');
  const value = fc.oneof(
    fc.constantFrom('today', 'yes', '5M', '1_000', 'New York', '"x"', "'O'x'", '*', '2012/1/1'),
    fc.constantFrom('\\', 'a\\', '\\\\', '%\\', "'a\\'", "'O''x\\'", '(1,2)'),
    fc.constantFrom(...STAGES.map(({ label }) => label), "'Seed'", 'null', '5', `'${UUID}'`),
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  let suggested = 0;
  fc.assert(
    fc.property(field, operator, value, (name, by, text) => {
      const filter = `${name} ${by} ${text}`;
      const error = errorIn(filter);
      if (error?.suggestion === undefined) return;
      suggested++;
      const again = errorIn(repaired(filter, error));
      if (again === undefined) return;
      // The remaining error is a different one: the suggestion is valid.
      const fault = plain(again.value ?? again.field);
      expect([again.position, fault]).not.toEqual([error.position, plain(error.suggestion)]);
    }),
    runs(3_000),
  );
  expect(suggested).toBeGreaterThan(500);
});
