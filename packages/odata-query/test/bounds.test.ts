// Tests docs/spec/query-language.md 5.12.
// Tests docs/spec/limits.md 12.1.
import { describe, expect, test } from '@jest/globals';
import {
  BOUNDS,
  bindFilter,
  Lexer,
  parseFilter,
  parseOrderBy,
  parseSelect,
} from '@vcds/odata-query';
import { errorOf } from './error-of.ts';
import { TABLE } from './example-table.ts';
import { sexpr } from './sexpr.ts';

const joined = (count: number, by: string, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(by);

describe('bounds of a filter', () => {
  test('32,000 characters are read, one more is rejected at the bound', () => {
    const filled = (length: number): string => `Name eq '${'x'.repeat(length - 10)}'`;
    expect(filled(32_000)).toHaveLength(32_000);
    expect(parseFilter(filled(32_000))).toMatchObject({ kind: 'compare' });
    expect(errorOf(() => parseFilter(filled(32_001)))).toMatchObject({
      code: 'bad_filter',
      position: 32_000,
      message: 'A filter can have at most 32000 characters; this one has 32001.',
    });
  });

  test('200 terms are read, the 201st is rejected where it stands', () => {
    const terms = (count: number): string => joined(count, ' or ', () => 'a eq 1');
    expect(parseFilter(terms(200))).toMatchObject({ kind: 'or' });
    const error = errorOf(() => parseFilter(terms(201)));
    expect(error).toMatchObject({ code: 'bad_filter', position: terms(200).length + 4 });
    expect(error.message).toContain('at most 200 comparisons');
  });

  test.each([
    ['parentheses', '(', ')', 1],
    ['not with parentheses', 'not (', ')', 5],
    ['not alone', 'not ', '', 4],
  ])('20 levels of %s are read, the 21st is rejected where it opens', (_, open, close, width) => {
    const nested = (depth: number): string => `${open.repeat(depth)}a eq 1${close.repeat(depth)}`;
    expect(sexpr(parseFilter(nested(20)))).toContain('(eq a number:1)');
    const error = errorOf(() => parseFilter(nested(21)));
    expect(error).toMatchObject({ code: 'bad_filter', position: 20 * width });
    expect(error.message).toContain('at most 20 levels');
  });

  test('levels side by side are not levels inside each other', () => {
    const text = joined(100, ' and ', () => '((not (a eq 1)))');
    expect(parseFilter(text)).toMatchObject({ kind: 'and' });
  });

  test.each(['in', 'notin'])('500 values of %s are read, the 501st is rejected', (operator) => {
    const list = (count: number): string => `a ${operator} (${joined(count, ',', String)})`;
    expect(parseFilter(list(500))).toMatchObject({ kind: 'in' });
    const error = errorOf(() => parseFilter(list(501)));
    expect(error).toMatchObject({ code: 'bad_filter', position: list(500).length });
    expect(error.message).toContain('at most 500 values');
  });

  const bind = (text: string) => bindFilter(parseFilter(text), TABLE);

  test.each([
    ['Name like', 500],
    ['Keywords like', 1_000],
    ['Keywords eq', 1_000],
  ])('%s takes a text of %i characters, one more is rejected at the text', (start, max) => {
    const filled = (length: number): string => `${start} '${'x'.repeat(length)}'`;
    expect(bind(filled(max))).toMatchObject({ field: { name: start.split(' ')[0] } });
    const error = errorOf(() => bind(filled(max + 1)));
    expect(error).toMatchObject({ code: 'bad_filter', position: start.length + 1 });
    expect(error.message).toContain(`at most ${max} characters; this one has ${max + 1}`);
  });

  test('10 patterns without three letters in a row are bound, the 11th is rejected', () => {
    const patterns = (count: number): string =>
      joined(count, ' or ', (index) => `not (Name like '%_N%z_%' and Name like 'long${index}')`);
    expect(bind(patterns(10))).toMatchObject({ kind: 'or' });
    const error = errorOf(() => bind(patterns(11)));
    expect(error).toMatchObject({ code: 'bad_filter', field: 'Name', value: '%_N%z_%' });
    expect(error.position).toBe(patterns(10).length + ' or not (Name like '.length);
    expect(error.message).toContain("e.g. 'acme%'");
  });

  test.each(['a%', '%ab', 'x_y_z', '%', "a''b", '%- -%', 'a b c'])('%s counts as short', (text) => {
    expect(() => bind(joined(11, ' and ', () => `Name like '${text}'`))).toThrow('at most 10');
  });

  test.each(['acme', '%a%acm%', 'été%', '東京都'])('%s does not count as short', (text) => {
    expect(bind(joined(11, ' and ', () => `Name like '${text}'`))).toMatchObject({ kind: 'and' });
  });

  test('names have at most 128 characters', () => {
    const name = 'n'.repeat(BOUNDS.nameCharacters);
    expect(parseFilter(`${name} eq 1`)).toMatchObject({ field: name });
    const error = errorOf(() => parseFilter(`a eq 1 and ${name}n eq 1`));
    expect(error).toMatchObject({ code: 'bad_filter', position: 11 });
    expect(errorOf(() => parseSelect(`${name}n`))).toMatchObject({ position: 0 });
  });

  test('lists have at most 100 names', () => {
    const names = (count: number): string => joined(count, ',', (index) => `n${index}`);
    expect(parseOrderBy(names(100))).toHaveLength(100);
    expect(errorOf(() => parseOrderBy(names(101)))).toMatchObject({
      code: 'bad_parameter',
      position: names(100).length,
    });
  });
});

describe('the longest filters take time in line with their length', () => {
  const filled = (unit: string, tail = ''): string =>
    unit.repeat(Math.floor((32_000 - tail.length) / unit.length)) + tail;

  test.each([
    ['opening parentheses', filled('('), 20],
    ['closing parentheses', filled(')'), 0],
    ['nots', filled('not '), 80],
    ['not-parentheses', filled('not('), 80],
    ['quotes', `Name eq ${"'".repeat(31_991)}`, 8],
    ['zeros and no number', `a eq ${'0'.repeat(31_990)}x`, 5],
    ['zeros and a digit between', `a eq 0.${'0'.repeat(31_000)}1e`, 5],
    ['dots', filled('.'), 0],
    ['dotted name', filled('a.', 'a eq 1'), 0],
    ['name in another script', filled('é'), 0],
    ['colons', `a eq ${'1:'.repeat(15_000)}`, 5],
    ['dashes', filled('-'), 0],
    ['commas in a list', `a in (1${','.repeat(31_000)})`, 8],
    ['signs', filled('=!<>&|'), 0],
    ['emoji', filled('\u{1F600}'), 0],
    ['surrogates without a partner', filled('\uD83D'), 0],
    ['null characters', filled('\0'), 0],
    ['spaces', filled(' '), 32_000],
    ['ors', filled('or '), 0],
    ['terms', filled('a eq 1 and '), 200 * 11],
  ])('%s', (_, text, position) => {
    expect(text.length).toBeGreaterThan(29_000);
    expect(errorOf(() => parseFilter(text)).position).toBe(position);
  });

  test.each([
    ["Name eq 'it''s'", 3],
    ['((((((((((', 10],
    ['a in (1,2,3)', 9],
    ["  a   eq\t'b'  ", 3],
  ])('the lexer takes one step per token: %s', (text, count) => {
    const lexer = new Lexer(text);
    let end = 0;
    let taken = 0;
    for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) {
      expect(token.start).toBeGreaterThanOrEqual(end);
      expect(token.end).toBeGreaterThan(token.start);
      end = token.end;
      taken++;
    }
    expect(taken).toBe(count);
    expect(lexer.next()).toMatchObject({ kind: 'end', start: text.length });
  });
});
