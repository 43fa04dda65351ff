// Tests docs/spec/query-language.md 5.2, 5.8.
import { describe, expect, test } from '@jest/globals';
import { bindFilter, parseFilter, type QueryError } from '@vcds/odata-query';
import { errorOf } from './error-of.ts';
import { TABLE } from './example-table.ts';

/** The bound value of `Field eq value`. */
function boundValue(field: string, value: string): unknown {
  const bound = bindFilter(parseFilter(`${field} eq ${value}`), TABLE);
  return bound.kind === 'compare' ? bound.value : bound;
}

function wrong(field: string, value: string): QueryError {
  const error = errorOf(() => boundValue(field, value));
  expect(error).toMatchObject({ field, parameter: '$filter', position: `${field} eq `.length });
  return error;
}

const UUID = '5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11';

describe('a value is read as its field is typed, bare or quoted', () => {
  test.each([
    ['Id', UUID.toUpperCase(), UUID],
    ['Id', `'${UUID}'`, UUID],
    ['Name', "'O''Neil'", "O'Neil"],
    ['Name', "'null'", 'null'],
    ['Name', "'2012-02-29'", '2012-02-29'],
    ['Founded', '2010', 2010],
    ['Founded', "'2010'", 2010],
    ['Founded', '2010.0', 2010],
    ['Founded', '20.10e2', 2010],
    ['Founded', '201000e-2', 2010],
    ['Founded', '-32768', -32768],
    ['MembersCount', '2147483647', 2147483647],
    ['MembersCount', '-0', 0],
    ['MembersCount', '-1.5e1', -15],
    ['MembersCount', '+015', 15],
    ['MembersCount', '0.000e99999', 0],
    ['MembersCount', `${'0'.repeat(400)}7`, 7],
    ['TotalRaised', '9007199254740991', 9007199254740991],
    ['TotalRaised', '1e6', 1000000],
    ['TotalRaised', '+5000000', 5000000],
    ['Share', '0.75', 0.75],
    ['Share', '-1e-3', -0.001],
    ['Share', '-0', 0],
    ['Confirmed', 'TRUE', true],
    ['Confirmed', "'false'", false],
    ['Date', '2012-02-29', '2012-02-29'],
    ['Date', "'2000-02-29'", '2000-02-29'],
    ['Date', '2012-02-29T00:00:00.000Z', '2012-02-29'],
    ['Date', "'2012-02-29T02:00:00+02:00'", '2012-02-29'],
    ['UpdatedTimeStamp', '2012-02-29', '2012-02-29T00:00:00Z'],
    ['UpdatedTimeStamp', "'2012-02-29'", '2012-02-29T00:00:00Z'],
    ['UpdatedTimeStamp', '2012-02-29T10:00', '2012-02-29T10:00:00Z'],
    ['UpdatedTimeStamp', "'2012-02-29t10:00:07.120000z'", '2012-02-29T10:00:07.12Z'],
    ['UpdatedTimeStamp', '2012-02-29T10:00:07.123456000Z', '2012-02-29T10:00:07.123456Z'],
    ['UpdatedTimeStamp', '2012-02-29T00:30:00+02:00', '2012-02-28T22:30:00Z'],
    ['UpdatedTimeStamp', '2012-12-31T23:30:00-11:30', '2013-01-01T11:00:00Z'],
    ['UpdatedTimeStamp', '1972-06-30T23:59:60Z', '1972-07-01T00:00:00Z'],
    ['UpdatedTimeStamp', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['UpdatedTimeStamp', '0099-12-31T23:59Z', '0099-12-31T23:59:00Z'],
    ['LastFundingStage', '4', 4],
    ['LastFundingStage', '4.0', 4],
    ['LastFundingStage', "'4'", 4],
    ['LastFundingStage', "'Series A'", 4],
    ['LastFundingStage', "'series-a'", 4],
    ['LastFundingStage', "'SeriesA'", 4],
    ['PrimarySource', "'Fund website'", 'FundWebsite'],
    ['PrimarySource', "'fund-website'", 'FundWebsite'],
    ['InvestmentStage', "'Seed'", 3],
    ['Group.Name', "'Top 100'", 'Top 100'],
  ])('%s eq %s', (field, written, expected) => {
    expect(boundValue(field, written)).toBe(expected);
  });
});

describe('a value of the wrong type or beyond the column is bad_filter', () => {
  test.each([
    ['Id', "'x'", 'Id requires an id'],
    ['Id', '5', 'Id requires an id'],
    ['Id', `'{${UUID}}'`, 'Id requires an id'],
    ['Name', '5', 'Name requires text in single quotes'],
    ['Name', 'true', 'Name requires text in single quotes'],
    ['Name', "'a\0b'", 'that text cannot contain'],
    ['Name', "'\uD800'", 'that text cannot contain'],
    ['Founded', "'soon'", "Founded requires a year, e.g. 2010, not 'soon'"],
    ['Founded', '2010.5', 'Founded requires a year'],
    ['Founded', '2010-01-01', 'Founded requires a year'],
    ['Founded', '20105e-1', 'Founded requires a year'],
    ['Founded', 'true', 'Founded requires a year'],
    ['Founded', "' 2010'", 'Founded requires a year'],
    ['Founded', "'0x7DA'", 'Founded requires a year'],
    ['Founded', '32768', 'must be from -32768 to 32767'],
    ['MembersCount', '-2147483649', 'must be from -2147483648 to 2147483647'],
    ['MembersCount', '1e999999999999', 'must be from'],
    ['TotalRaised', '9007199254740992', 'must be from -9007199254740991'],
    ['TotalRaised', '9007199254740993', 'must be from -9007199254740991'],
    ['TotalRaised', '-99999999999999999', 'must be from'],
    ['TotalRaised', '0.5', 'a whole number of US dollars'],
    ['Share', '1e999', 'too large'],
    ['Share', "'NaN'", 'Share requires a number'],
    ['Confirmed', '1', 'Confirmed requires true or false'],
    ['Confirmed', "'yes'", 'Confirmed requires true or false'],
    ['Keywords', "' \t'", 'at least one word'],
    ['Keywords', '5', 'Keywords requires words in single quotes'],
    ['Keywords', 'null', 'Keywords requires words in single quotes'],
  ])('%s eq %s', (field, written, says) => {
    const error = wrong(field, written);
    expect(error.code).toBe('bad_filter');
    expect(error.message).toContain(says);
  });

  test('text that lacks its quotes gets them suggested', () => {
    expect(wrong('Name', '42').suggestion).toBe("'42'");
    expect(wrong('Name', '2012-02-29').suggestion).toBe("'2012-02-29'");
    // The word null is not what is looked for.
    expect(wrong('Keywords', 'null').suggestion).toBeUndefined();
  });

  test('the place that lists the values is named', () => {
    expect(wrong('Tag', '5').see).toBe('/categories/industry');
  });

  test('in a list it is rejected at its own position', () => {
    const text = "Founded in (2010,2011,'x')";
    const error = errorOf(() => bindFilter(parseFilter(text), TABLE));
    expect(error).toMatchObject({ code: 'bad_filter', position: 22, value: 'x' });
  });
});

describe('a day or moment that does not exist is bad_date', () => {
  test.each([
    ['Date', '2012-02-30'],
    ['Date', '2011-02-29'],
    ['Date', '1900-02-29'],
    ['Date', "'2012-04-31'"],
    ['Date', "'2012-13-01'"],
    ['Date', "'2012-2-3'"],
    ['Date', "'soon'"],
    ['Date', "''"],
    ['Date', '0000-01-01'],
    ['Date', '2012'],
    ['Date', 'true'],
    ['Date', '2012-02-30T00:00Z'],
    ['UpdatedTimeStamp', '2012-02-30T00:00Z'],
    ['UpdatedTimeStamp', "'2012-02-29T24:00:00Z'"],
    ['UpdatedTimeStamp', "'2012-02-29 10:00'"],
    ['UpdatedTimeStamp', '2012-02-29T10:00+15:00'],
    ['UpdatedTimeStamp', '0001-01-01T00:00+01:00'],
    ['UpdatedTimeStamp', '9999-12-31T23:59:59-01:00'],
    ['UpdatedTimeStamp', '1330473600'],
  ])('%s eq %s', (field, written) => {
    expect(wrong(field, written).code).toBe('bad_date');
  });

  test('an instant that is no midnight says more than a day can hold', () => {
    expect(wrong('Date', '2012-02-29T10:00Z')).toMatchObject({
      code: 'bad_date',
      suggestion: '2012-02-29',
      message: 'Date is a date without a time; did you mean 2012-02-29?',
    });
  });
});

describe('a value that is not in its list is unknown_value', () => {
  test('with the labels allowed, the nearest, and where they are listed', () => {
    expect(wrong('LastFundingStage', "'serie-b'")).toMatchObject({
      code: 'unknown_value',
      value: 'serie-b',
      allowed: ['Pre-seed', 'Seed', 'Series A', 'Series B'],
      suggestion: 'Series B',
      see: '/categories/stage',
      message: "LastFundingStage has no value 'serie-b'; did you mean Series B?",
    });
  });

  test.each([
    ['LastFundingStage', "'series a'"],
    ['LastFundingStage', "'SERIES-A'"],
    ['LastFundingStage', '9'],
    ['LastFundingStage', "'4.0'"],
    ['LastFundingStage', "'04'"],
    ['LastFundingStage', "'+4'"],
    ['LastFundingStage', '4.5'],
    ['LastFundingStage', 'true'],
    ['LastFundingStage', '2012-02-29'],
    ['PrimarySource', '1'],
    ['PrimarySource', "'constructor'"],
    ['PrimarySource', "'__proto__'"],
    ['PrimarySource', "''"],
  ])('%s eq %s, case as given', (field, written) => {
    expect(wrong(field, written).code).toBe('unknown_value');
  });
});
