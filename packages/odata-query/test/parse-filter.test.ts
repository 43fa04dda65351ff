// Tests docs/spec/query-language.md 5.1.
import { describe, expect, test } from '@jest/globals';
import { parseFilter } from '@vcds/odata-query';
import { sexpr } from './sexpr.ts';

const tree = (text: string): string => sexpr(parseFilter(text));

describe('a filter is read as OData reads it', () => {
  test.each([
    ["Country eq 'US'", '(eq Country "US")'],
    ["Country ne 'US'", '(ne Country "US")'],
    ['Founded gt 2010', '(gt Founded number:2010)'],
    ['Founded ge -5', '(ge Founded number:-5)'],
    ['Share lt 0.5', '(lt Share number:0.5)'],
    ['Share le +1.5e-3', '(le Share number:+1.5e-3)'],
    ["Tag in ('a','b')", '(in Tag ["a" "b"])'],
    ["Tag notin ( 'a' , null , 5 )", '(notin Tag ["a" null:null number:5])'],
    ['Tag in ()', '(in Tag [])'],
    ["Name like 'acme%'", '(like Name "acme%")'],
    ['Date ge 2012-02-29', '(ge Date date:2012-02-29)'],
    ['Seen lt 2012-02-29T10:00', '(lt Seen instant:2012-02-29T10:00)'],
    ['Seen lt 2012-02-29t10:00:59.123456z', '(lt Seen instant:2012-02-29t10:00:59.123456z)'],
    ['Seen lt 2012-02-29T10:00:60+02:00', '(lt Seen instant:2012-02-29T10:00:60+02:00)'],
    [
      'Id eq A1234567-89ab-cdef-0123-456789abcdef',
      '(eq Id uuid:A1234567-89ab-cdef-0123-456789abcdef)',
    ],
    [
      'Id eq 01234567-89ab-cdef-0123-456789abcdef',
      '(eq Id uuid:01234567-89ab-cdef-0123-456789abcdef)',
    ],
    ['Confirmed eq true', '(eq Confirmed boolean:true)'],
    ['Founded ne null', '(ne Founded null:null)'],
    ["Group.Name eq 'x'", '(eq Group.Name "x")'],
    ["Größe eq 'x'", '(eq Größe "x")'],
    ["Name eq 'O''Neil'", '(eq Name "O\'Neil")'],
    ["Name eq ''", '(eq Name "")'],
    ["Name eq ''''", '(eq Name "\'")'],
    ["Name eq 'a and b or (c'", '(eq Name "a and b or (c")'],
  ])('%s', (text, expected) => {
    expect(tree(text)).toBe(expected);
  });

  test.each([
    ["contains(Name,'50%_')", "Name like '%50\\%\\_%'"],
    ["startswith(tolower(Name),toupper('a'))", "Name like 'a%'"],
    ["not endswith(Name,'''')", "not (Name like '%''')"],
    ["contains(Name,'a') ne true", "not (Name like '%a%')"],
    ["Tag/any(t: t eq 'a' or t in ('b'))", "Tag eq 'a' or Tag in ('b')"],
    ['Tag/any()', 'Tag ne null'],
    ['year(Date) eq 2024', 'Date ge 2024-01-01 and Date lt 2025-01-01'],
    ['year(Date) gt 2024', 'Date ge 2025-01-01'],
  ])('with functions %s is %s', (text, expected) => {
    expect(sexpr(parseFilter(text, { functions: true }))).toBe(tree(expected));
    expect(() => parseFilter(text)).toThrow();
  });

  test('and binds tighter than or, not tighter than and', () => {
    expect(tree('a eq 1 or b eq 2 and c eq 3')).toBe(
      '(or (eq a number:1) (and (eq b number:2) (eq c number:3)))',
    );
    expect(tree('not a eq 1 and b eq 2')).toBe('(and (not (eq a number:1)) (eq b number:2))');
    expect(tree('not (a eq 1 and b eq 2)')).toBe('(not (and (eq a number:1) (eq b number:2)))');
    expect(tree('not not a eq 1')).toBe('(not (not (eq a number:1)))');
  });

  test('parentheses group, and those that change nothing leave no trace', () => {
    expect(tree('(a eq 1 or b eq 2) and c eq 3')).toBe(
      '(and (or (eq a number:1) (eq b number:2)) (eq c number:3))',
    );
    expect(tree('((a eq 1)) and (b eq 2 and (c eq 3))')).toBe(
      '(and (eq a number:1) (eq b number:2) (eq c number:3))',
    );
    expect(tree('a eq 1 or (b eq 2 or c eq 3)')).toBe(
      '(or (eq a number:1) (eq b number:2) (eq c number:3))',
    );
  });

  test('operators, connectives and constants stand in any case, names as written', () => {
    expect(tree("Name EQ 'x' AND nOt (tag NotIn (NULL) OR name LIKE 'y')")).toBe(
      '(and (eq Name "x") (not (or (notin tag [null:null]) (like name "y"))))',
    );
    expect(tree('Confirmed eq TRUE')).toBe('(eq Confirmed boolean:true)');
  });

  test('a letter of another script that lower-cases to an ASCII one makes no keyword', () => {
    expect(() => parseFilter("Name li\u212Ae 'x'")).toThrow('is not an operator');
  });

  test('a word that is an operator may still be a field', () => {
    expect(tree('eq eq 1 and in in (2)')).toBe('(and (eq eq number:1) (in in [number:2]))');
  });

  test('spaces, tabs and line ends separate; parentheses and commas need none', () => {
    expect(tree('\n  not(a\teq 1)and(b\r\neq 2)or c in(1,2)  ')).toBe(
      '(or (and (not (eq a number:1)) (eq b number:2)) (in c [number:1 number:2]))',
    );
  });
});

describe('a parsed filter', () => {
  test('says where each part stood', () => {
    expect(parseFilter(" (Founded ge 2010) and Tag in ('a')")).toEqual({
      kind: 'and',
      position: 2,
      operands: [
        {
          kind: 'compare',
          field: 'Founded',
          operator: 'ge',
          position: 2,
          operatorPosition: 10,
          value: { kind: 'literal', type: 'number', text: '2010', position: 13 },
        },
        {
          kind: 'in',
          field: 'Tag',
          negated: false,
          position: 23,
          operatorPosition: 27,
          values: [{ kind: 'literal', type: 'string', text: 'a', position: 31 }],
        },
      ],
    });
  });

  test('is frozen to its leaves', () => {
    const pending: unknown[] = [parseFilter("not (a eq 1 or b in ('x')) and c like 'y'")];
    let seen = 0;
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (typeof one !== 'object' || one === null) continue;
      expect(Object.isFrozen(one)).toBe(true);
      seen++;
      pending.push(...Object.values(one));
    }
    expect(seen).toBe(12);
  });
});
