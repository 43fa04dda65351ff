// Tests docs/spec/query-language.md 5.11.
import { describe, expect, test } from '@jest/globals';
import { OPERATORS, parseFilter } from '@vcds/odata-query';
import { errorOf } from './error-of.ts';

/** Text, position, a part of the message, suggestion. */
type Row = readonly [text: string, position: number, says: string, suggestion?: string];

const UUID = '00000000-0000-4000-8000-000000000001';

const SYNTAX: readonly Row[] = [
  ['', 0, 'The filter is empty. Add a condition: a field, an operator a'],
  [' \t', 2, 'The filter is empty'],
  ['Name', 4, "'Name' is not a condition: add an operator and a value, e.g."],
  ['Confirmed and Name eq 1', 10, "'Confirmed' is not a condition: add an operator and a value,"],
  ['(Name)', 5, "'Name' is not a condition: add an operator and a value, e.g."],
  ['Name eq', 7, 'Expected a value after eq, found the end of the filter'],
  ['(Name eq)', 8, 'Expected a value after eq, found )'],
  ['Name eq ,', 8, 'Expected a value after eq, found ,'],
  ["Name 'x'", 5, "Expected an operator between Name and the text 'x'"],
  ["Name eqq 'x'", 5, "'eqq' is not an operator; did you mean eq?", 'eq'],
  ["Name equals 'x'", 5, "'equals' is not an operator; did you mean eq?", 'eq'],
  ['Founded gte 2015', 8, "'gte' is not an operator; did you mean ge?", 'ge'],
  ['Founded LTE 2015', 8, "'LTE' is not an operator; did you mean le?", 'le'],
  ["Name neq 'x'", 5, "'neq' is not an operator; did you mean ne?", 'ne'],
  ["Tag nin ('x')", 4, "'nin' is not an operator; did you mean notin?", 'notin'],
  ["Name resembles 'x'", 5, "'resembles' is not an operator"],
  ["Name eq 'x' and", 15, 'Expected a condition (a field, an operator and a value), fou'],
  ["and Name eq 'x'", 0, 'Expected a condition (a field, an operator and a value), fou'],
  ["Name eq 'x' or or a eq 1", 15, 'Expected a condition (a field, an operator and a value), fou'],
  ['not', 3, 'Expected a condition (a field, an operator and a value), fou'],
  ['()', 1, 'Expected a condition (a field, an operator and a value), fou'],
  [', a eq 1', 0, 'Expected a condition (a field, an operator and a value), fou'],
  ["(Name eq 'x'", 12, 'The parenthesis at position 0 is not closed'],
  ["Name eq 'x')", 11, 'Unmatched closing parenthesis'],
  [
    "Name eq 'x' Tag eq 'y'",
    12,
    'Expected and or or between two conditions, found Tag; did yo',
    'and Tag',
  ],
  ["(Name eq 'x' 'y')", 13, "Expected and, or, or the end of the filter, found the text '"],
  ["Name eq 'x", 8, "Unclosed quote. Double a quote inside text, e.g. 'O''Neil'"],
  ["Name eq 'O'Neil'", 11, 'Expected a space after the closing quote. Double a quote ins'],
  ["Name eq 'x'and a eq 1", 11, 'Expected a space after the closing quote. Double a quote ins'],
  ["Name eq'x'", 7, 'Add a space between eq and the quote'],
  ["a eq 5'x'", 6, 'Add a space between 5 and the quote'],
  ['Founded gt 2,000', 12, 'Unexpected comma: commas only separate list values. Write nu'],
];

const LISTS: readonly Row[] = [
  ["Tag in 'a'", 7, "in requires a list in parentheses, e.g. ('a','b'), not the t"],
  ['Tag notin', 9, "notin requires a list in parentheses, e.g. ('a','b'), not th"],
  ["Tag in ('a'", 11, 'The list at position 7 is not closed'],
  ["Tag in ('a' 'b')", 12, 'Separate list values with commas'],
  ["Tag in ('a',)", 12, 'Expected a value after in, found )'],
  ["Tag in ('a',,'b')", 12, 'Expected a value after in, found ,'],
  ["Tag in (('a'))", 8, 'Lists cannot be nested'],
  ["Tag in ['a']", 7, 'JSON arrays are not supported'],
  ["Tag eq ('a','b')", 7, 'Use in or notin with a list'],
  ["Tag not in ('a')", 4, 'Write not in as one word: notin', 'notin'],
  ["Tag not like 'a'", 4, 'Put not before the condition: not (Tag …)'],
];

const VALUES: readonly Row[] = [
  ['Name eq Milk', 8, "'Milk' is not a value: put text in single quotes; did you me", "'Milk'"],
  [
    'Site eq https://acme.com/a?b=1',
    8,
    "'https://acme.com/a?b=1' is not a value: put text in single ",
    "'https://acme.com/a?b=1'",
  ],
  [
    'Tag in (deep-tech,ai)',
    8,
    "'deep-tech' is not a value: put text in single quotes; did y",
    "'deep-tech'",
  ],
  [
    `Id eq a${UUID.slice(1)}0`,
    6,
    "'a0000000-0000-4000-8000-0000000000010' is not a value: put ",
    `'a${UUID.slice(1)}0'`,
  ],
  [
    `Id eq ${UUID}0`,
    6,
    "'00000000-0000-4000-8000-0000000000010' is not a number, a d",
    `'${UUID}0'`,
  ],
  ['Cost gt Price', 8, "'Price' is not a value: put text in single quotes; did you m", "'Price'"],
  ['Name eq "Milk"', 8, 'Put text in single quotes, not double quotes'],
  ['Name eq ‘Milk’', 8, 'typographic'],
  ['Founded gt 5.', 11, 'digits on both sides of the point'],
  ['Founded gt .5', 11, 'digits on both sides of the point'],
  ['Founded gt 5L', 11, 'without units or suffixes'],
  ['Founded gt 10M', 11, 'without units or suffixes'],
  [
    'Founded gt 1e2e3',
    11,
    "'1e2e3' is not a number, a date or an id. Put text in single",
    "'1e2e3'",
  ],
  ['Size eq 11-50', 8, "'11-50' is not a number, a date or an id. Put text in single", "'11-50'"],
  ['Founded gt -Price', 11, "'-Price' is not a value: + and - are only allowed before a n"],
  ['Founded gt - 5', 11, 'Unexpected -: arithmetic is not supported in a filter'],
  ['Founded gt INF', 11, 'INF is not supported: numbers must be finite'],
  ['Time gt 13:20:00', 8, 'is a time of day'],
  [
    'Seen gt 2012-01-01T10:00:00 02:00',
    28,
    "'02:00' is a time of day: write date and time, e.g. 2012-09-",
  ],
  [
    "Seen gt datetime'2012-01-01'",
    8,
    "Prefixed values such as datetime'…' are not supported: write",
  ],
  [
    "style eq Sales.Pattern'Yellow'",
    9,
    "Prefixed values such as Sales.Pattern'…' are not supported: ",
  ],
  ['Name like 5', 10, "like requires a pattern in single quotes, e.g. 'acme%', not "],
  ['Name like null', 10, "like requires a pattern in single quotes, e.g. 'acme%', not "],
  ['Name like', 9, "like requires a pattern in single quotes, e.g. 'acme%', not "],
  ['Name like "x"', 10, 'Put text in single quotes, not double quotes'],
];

const REVERSED: readonly Row[] = [
  ['5 lt Founded', 0, 'The field must come first; did you mean Founded gt 5?', 'Founded gt 5'],
  ['5 GE Founded', 0, 'The field must come first; did you mean Founded le 5?', 'Founded le 5'],
  [
    "'O''x' eq Name",
    0,
    "The field must come first; did you mean Name eq 'O''x'?",
    "Name eq 'O''x'",
  ],
  [
    'null ne Founded',
    0,
    'The field must come first; did you mean Founded ne null?',
    'Founded ne null',
  ],
  ['true eq false', 0, 'Two values cannot be compared'],
  ['5 lt 6', 0, 'Two values cannot be compared'],
  ['true', 0, 'A condition starts with a field, not with true'],
  ["5 lt 'unclosed", 0, 'Two values cannot be compared'],
  ["('a','b') eq Name", 1, "A condition starts with a field, not with the text 'a'"],
];

const UNSUPPORTED: readonly Row[] = [
  [
    "contains(Name,'a%')",
    0,
    'Functions are not supported. contains is not supported: writ',
    "Name like '%a\\%%'",
  ],
  [
    "startswith( Name , 'it''s' ) eq true",
    0,
    'Functions are not supported. startswith is not supported: wr',
    "Name like 'it''s%'",
  ],
  [
    "EndsWith(Name,'x')",
    0,
    'Functions are not supported. endswith is not supported: writ',
    "Name like '%x'",
  ],
  ['length(Name) eq 19', 6, 'Functions such as length(…) are not supported'],
  ['Name eq tolower(Name)', 8, 'Functions such as tolower(…) are not supported'],
  ['any()', 3, 'Functions such as'],
  [
    'Products/any(p:p/Price gt 5)',
    8,
    'Paths with / (related records, any, all, $count) are not sup',
  ],
  ['Price add 2.45 eq 5.00', 6, 'Arithmetic (add, sub, mul, div, divby, mod) is not supported'],
  ['Price gt 5 MUL 2', 11, 'Arithmetic (add, sub, mul, div, divby, mod) is not supported'],
  ['Price gt 5 * 2', 11, 'Arithmetic is not supported in a filter; the wildcard of lik'],
  ['-Price gt 5', 0, "'-Price' is not a value: + and - are only allowed before a n"],
  ["style has 'Yellow'", 6, 'has is not supported: eq on a field with several values mean', 'eq'],
  [
    'Founded between 1 and 2',
    8,
    'between is not supported: write Field ge a and Field le b; d',
    'ge 1 and Founded le 2',
  ],
  ['Founded is null', 8, 'is is not supported: write eq null or ne null; did you mean ', 'eq'],
  ["Name ilike 'x'", 5, 'ilike is not supported: like already ignores case and accent', 'like'],
  ['$it eq 5', 0, 'Names with $'],
  ['Title eq @title', 9, 'Parameter aliases'],
  ['a eq {"b":1}', 5, 'JSON objects'],
  ['Name eq 5; b eq 1', 9, '; is not allowed in a filter: join conditions with and or or'],
  ['Name ~ 5', 5, 'Unexpected character ~'],
  ['Name\u00A0eq 5', 4, 'Unexpected invisible character U+00A0; use a plain space'],
  ['Name\u{1F600}', 4, 'Unexpected character 😀'],
];

const SIGNS: readonly Row[] = [
  ['Founded = 5', 8, 'Use eq instead of =', 'eq'],
  ['Founded==5', 7, 'Use eq instead of ==', ' eq '],
  ['Founded != 5', 8, 'Use ne instead of !=', 'ne'],
  ['Founded <> 5', 8, 'Use ne instead of <>', 'ne'],
  ['Founded >= 5', 8, 'Use ge instead of >=', 'ge'],
  ['Founded < 5', 8, 'Use lt instead of <', 'lt'],
  ['Founded ==== 5', 8, 'Use eq instead of ==='],
  ['a eq 5 && b eq 1', 7, 'Use and instead of &&', 'and'],
  ['a eq 5 || b eq 1', 7, 'Use or instead of ||', 'or'],
  ['!(a eq 5)', 0, 'Use not instead of !', 'not'],
];

describe.each([
  ['a broken filter', SYNTAX],
  ['a broken list', LISTS],
  ['a broken value', VALUES],
  ['a comparison with the value first', REVERSED],
  ['what OData has and this grammar has not', UNSUPPORTED],
  ['signs of other languages', SIGNS],
])('%s is rejected where it breaks, with how to repair it', (_, rows) => {
  test.each(rows.map((row) => ({ row })))('$row.0', ({ row }) => {
    const [text, position, says, suggestion] = row;
    const error = errorOf(() => parseFilter(text));
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/[.?]$/);
    expect(error).toMatchObject({ code: 'bad_filter', parameter: '$filter', position });
    expect(error.suggestion).toBe(suggestion);
  });
});

describe('a rejected filter', () => {
  test.each(['2012-9-3', '2012/09/03', '03.09.2012', '2012-13-01', '2012-01-32', '12012-01-01'])(
    'is bad_date where %s was meant for a date',
    (date) => {
      expect(errorOf(() => parseFilter(`Date ge ${date}`))).toMatchObject({
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
      const error = errorOf(() => parseFilter(`Seen ge ${instant}`));
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
    expect(errorOf(() => parseFilter(text)).field).toBe('Founded');
  });

  test('lists the operators where a word is none', () => {
    expect(errorOf(() => parseFilter("Name equals 'x'")).allowed).toEqual(OPERATORS);
  });

  test('reports the first fault of the text, whatever follows it', () => {
    expect(errorOf(() => parseFilter("Name = 'x")).position).toBe(5);
    expect(errorOf(() => parseFilter("Name like 5 'x")).position).toBe(10);
    expect(errorOf(() => parseFilter("Name eq Milk 'x")).position).toBe(8);
  });

  test('repeats the text of the caller only in part, without what cannot be seen', () => {
    const long = 'x'.repeat(120);
    const error = errorOf(() => parseFilter(`Name eq ${long}`));
    expect(error.value).toBe(`${'x'.repeat(80)}…`);
    expect(error.message).not.toContain('x'.repeat(81));
    expect(error.suggestion).toBeUndefined();
    expect(errorOf(() => parseFilter("'a\u0007\u202Eb' eq 1")).value).toBe('aU+0007U+202Eb');
  });
});
