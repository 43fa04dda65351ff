import { describe, expect, test } from '@jest/globals';
import { OPERATORS, parseFilter } from '@vcds/odata-query';
import { refused } from './refused.ts';

/** Text, position, a part of the message, suggestion. */
type Row = readonly [text: string, position: number, says: string, suggestion?: string];

const UUID = '00000000-0000-4000-8000-000000000001';

const SYNTAX: readonly Row[] = [
  ['', 0, 'The filter is empty; write a condition: a field, an operator'],
  [' \t', 2, 'The filter is empty'],
  ['Name', 4, 'Name alone is no condition'],
  ['Confirmed and Name eq 1', 10, 'such as Confirmed ne null'],
  ['(Name)', 5, 'Name alone is no condition'],
  ['Name eq', 7, 'After eq a value is expected before the end of the filter'],
  ['(Name eq)', 8, 'After eq a value is expected before )'],
  ['Name eq ,', 8, 'After eq a value is expected before ,'],
  ["Name 'x'", 5, "An operator is expected between Name and the text 'x'"],
  ["Name eqq 'x'", 5, 'eqq is none', 'eq'],
  ["Name equals 'x'", 5, 'equals is none', 'eq'],
  ['Founded gte 2015', 8, 'gte is none. Did you mean ge?', 'ge'],
  ['Founded LTE 2015', 8, 'LTE is none. Did you mean le?', 'le'],
  ["Name neq 'x'", 5, 'neq is none. Did you mean ne?', 'ne'],
  ["Tag nin ('x')", 4, 'nin is none. Did you mean notin?', 'notin'],
  ["Name resembles 'x'", 5, 'resembles is none.'],
  ["Name eq 'x' and", 15, 'is expected before the end of the filter'],
  ["and Name eq 'x'", 0, 'is expected before and'],
  ["Name eq 'x' or or a eq 1", 15, 'is expected before or'],
  ['not', 3, 'is expected before the end of the filter'],
  ['()', 1, 'A condition (a field, an operator and a value) is expected before )'],
  [', a eq 1', 0, 'is expected before ,'],
  ["(Name eq 'x'", 12, 'The parenthesis opened at position 0 is not closed'],
  ["Name eq 'x')", 11, 'has no opening one'],
  ["Name eq 'x' Tag eq 'y'", 12, 'and, or, or the end is expected, not Tag'],
  ["(Name eq 'x' 'y')", 13, "not the text 'y'"],
  ["Name eq 'x", 8, 'A quote is opened and never closed'],
  ["Name eq 'O'Neil'", 11, "a quote inside a text is doubled: 'O''Neil'"],
  ["Name eq 'x'and a eq 1", 11, 'a space is needed'],
  ["Name eq'x'", 7, 'A space is needed between eq and the quote'],
  ["a eq 5'x'", 6, 'A space is needed between 5 and the quote'],
  ['Founded gt 2,000', 12, 'numbers are written without any'],
];

const LISTS: readonly Row[] = [
  ["Tag in 'a'", 7, "in takes a list in parentheses, such as ('a','b'), not the text 'a'"],
  ['Tag notin', 9, 'notin takes a list in parentheses'],
  ["Tag in ('a'", 11, 'The list opened at position 7 is not closed'],
  ["Tag in ('a' 'b')", 12, 'separated by commas'],
  ["Tag in ('a',)", 12, 'After in a value is expected before )'],
  ["Tag in ('a',,'b')", 12, 'After in a value is expected before ,'],
  ["Tag in (('a'))", 8, 'lists do not nest'],
  ["Tag in ['a']", 7, 'JSON arrays are not supported'],
  ["Tag eq ('a','b')", 7, 'a list goes with in or notin'],
  ["Tag not in ('a')", 4, 'Write notin in one word', 'notin'],
  ["Tag not like 'a'", 4, 'write not (Tag …)'],
];

const VALUES: readonly Row[] = [
  ['Name eq Milk', 8, 'Milk is no value: text stands in single quotes', "'Milk'"],
  ['Site eq https://acme.com/a?b=1', 8, 'https://acme.com/a?b=1 is no', "'https://acme.com/a?b=1'"],
  ['Tag in (deep-tech,ai)', 8, 'deep-tech is no value', "'deep-tech'"],
  [`Id eq a${UUID.slice(1)}0`, 6, 'is no value', `'a${UUID.slice(1)}0'`],
  [`Id eq ${UUID}0`, 6, 'neither a number, a date nor an id', `'${UUID}0'`],
  ['Cost gt Price', 8, 'not with each other', "'Price'"],
  ['Name eq "Milk"', 8, 'not in double quotes'],
  ['Name eq ‘Milk’', 8, 'typographic'],
  ['Founded gt 5.', 11, 'digits on both sides of the point'],
  ['Founded gt .5', 11, 'digits on both sides of the point'],
  ['Founded gt 5L', 11, 'without units or suffixes'],
  ['Founded gt 10M', 11, 'without units or suffixes'],
  ['Founded gt 1e2e3', 11, 'neither a number, a date nor an id', "'1e2e3'"],
  ['Size eq 11-50', 8, 'neither a number, a date nor an id', "'11-50'"],
  ['Founded gt -Price', 11, 'a sign stands before a number only'],
  ['Founded gt - 5', 11, 'there is no arithmetic'],
  ['Founded gt INF', 11, 'numbers are finite'],
  ['Time gt 13:20:00', 8, 'is a time of day'],
  ['Seen gt 2012-01-01T10:00:00 02:00', 28, 'in a URL it must be written %2B'],
  ["Seen gt datetime'2012-01-01'", 8, "such as datetime'…', are not supported"],
  ["style eq Sales.Pattern'Yellow'", 9, 'with a prefix'],
  ['Name like 5', 10, 'like takes a pattern in single quotes'],
  ['Name like null', 10, 'like takes a pattern in single quotes'],
  ['Name like', 9, 'like takes a pattern in single quotes'],
  ['Name like "x"', 10, 'not in double quotes'],
];

const REVERSED: readonly Row[] = [
  ['5 lt Founded', 0, 'The field comes first: write Founded gt 5', 'Founded gt 5'],
  ['5 GE Founded', 0, 'write Founded le 5', 'Founded le 5'],
  ["'O''x' eq Name", 0, "write Name eq 'O''x'", "Name eq 'O''x'"],
  ['null ne Founded', 0, 'write Founded ne null', 'Founded ne null'],
  ['true eq false', 0, 'Two values cannot be compared'],
  ['5 lt 6', 0, 'Two values cannot be compared'],
  ['true', 0, 'A condition begins with a field, not with true'],
  ["5 lt 'unclosed", 0, 'Two values cannot be compared'],
  ["('a','b') eq Name", 1, 'A condition begins with a field'],
];

const UNSUPPORTED: readonly Row[] = [
  ["contains(Name,'a%')", 8, 'Functions are not supported', "Name like '%a\\%%'"],
  ["startswith( Name , 'it''s' ) eq true", 10, 'like with a %', "Name like 'it''s%'"],
  ["EndsWith(Name,'x')", 8, 'like with a %', "Name like '%x'"],
  ['length(Name) eq 19', 6, 'length(…) cannot be used'],
  ['Name eq tolower(Name)', 8, 'tolower(…) cannot be used'],
  ['any()', 3, 'Functions are not supported'],
  ['Products/any(p:p/Price gt 5)', 8, 'no related records, any, all or $count'],
  ['Price add 2.45 eq 5.00', 6, 'There is no arithmetic'],
  ['Price gt 5 MUL 2', 11, 'There is no arithmetic'],
  ['Price gt 5 * 2', 11, 'There is no arithmetic'],
  ['-Price gt 5', 0, 'a sign stands before a number only'],
  ["style has 'Yellow'", 6, 'has is not supported'],
  ['Founded between 1 and 2', 8, 'Field ge a and Field le b'],
  ['Founded is null', 8, 'Write eq null or ne null'],
  ["Name ilike 'x'", 5, 'like already ignores case'],
  ['$it eq 5', 0, 'Names with $'],
  ['Title eq @title', 9, 'Parameter aliases'],
  ['a eq {"b":1}', 5, 'JSON objects'],
  ['Name eq 5; b eq 1', 9, 'A ; has no place'],
  ['Name ~ 5', 5, 'The character ~ has no place here'],
  ['Name\u00A0eq 5', 4, 'The invisible character U+00A0 has no place here'],
  ['Name\u{1F600}', 4, 'The character \u{1F600} has no place here'],
];

const SIGNS: readonly Row[] = [
  ['Founded = 5', 8, 'Write eq instead of =', 'eq'],
  ['Founded==5', 7, 'Write eq instead of ==', 'eq'],
  ['Founded != 5', 8, 'Write ne instead of !=', 'ne'],
  ['Founded <> 5', 8, 'Write ne instead of <>', 'ne'],
  ['Founded >= 5', 8, 'Write ge instead of >=', 'ge'],
  ['Founded < 5', 8, 'Write lt instead of <', 'lt'],
  ['Founded ==== 5', 8, 'Write eq instead of ===', 'eq'],
  ['a eq 5 && b eq 1', 7, 'Write and instead of &&', 'and'],
  ['a eq 5 || b eq 1', 7, 'Write or instead of ||', 'or'],
  ['!(a eq 5)', 0, 'Write not instead of !', 'not'],
];

describe.each([
  ['a broken filter', SYNTAX],
  ['a broken list', LISTS],
  ['a broken value', VALUES],
  ['a comparison with the value first', REVERSED],
  ['what OData has and this grammar has not', UNSUPPORTED],
  ['signs of other languages', SIGNS],
])('%s is refused where it breaks, with how to repair it', (_, rows) => {
  test.each(rows.map((row) => ({ row })))('$row.0', ({ row }) => {
    const [text, position, says, suggestion] = row;
    const error = refused(() => parseFilter(text));
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/[.?]$/);
    expect(error).toMatchObject({ code: 'bad_filter', parameter: '$filter', position });
    expect(error.suggestion).toBe(suggestion);
  });
});

describe('a refused filter', () => {
  test.each(['2012-9-3', '2012/09/03', '03.09.2012', '2012-13-01', '2012-01-32', '12012-01-01'])(
    'is bad_date where %s was meant for a date',
    (date) => {
      expect(refused(() => parseFilter(`Date ge ${date}`))).toMatchObject({
        code: 'bad_date',
        field: 'Date',
        position: 8,
        value: date,
      });
    },
  );

  test.each(['2012-01-01T24:00Z', '2012-01-01T10:60Z', '2012-01-01T10', '2012-01-01T10:00:61Z'])(
    'is bad_date where %s was meant for an instant',
    (instant) => {
      const error = refused(() => parseFilter(`Seen ge ${instant}`));
      expect(error).toMatchObject({ code: 'bad_date', position: 8 });
    },
  );

  test.each([
    "Founded in (2012, 'x', 5M)",
    'Founded ge 5M',
    'Founded eq Active',
    'Founded eq',
    'Founded in 2012',
    'Founded like 2012',
    "(Name eq 'a' and Founded gt 10:00)",
  ])('names the field whose value is at fault: %s', (text) => {
    expect(refused(() => parseFilter(text)).field).toBe('Founded');
  });

  test('lists the operators where a word is none', () => {
    expect(refused(() => parseFilter("Name equals 'x'")).allowed).toEqual(OPERATORS);
  });

  test('reports the first fault of the text, whatever follows it', () => {
    expect(refused(() => parseFilter("Name = 'x")).position).toBe(5);
    expect(refused(() => parseFilter("Name like 5 'x")).position).toBe(10);
    expect(refused(() => parseFilter("Name eq Milk 'x")).position).toBe(8);
  });

  test('repeats the text of the caller only in part, without what cannot be seen', () => {
    const long = 'x'.repeat(120);
    const error = refused(() => parseFilter(`Name eq ${long}`));
    expect(error.value).toBe(`${'x'.repeat(80)}…`);
    expect(error.message).not.toContain('x'.repeat(81));
    expect(error.suggestion).toBeUndefined();
    expect(refused(() => parseFilter("'a\u0007\u202Eb' eq 1")).value).toBe('aU+0007U+202Eb');
  });
});
