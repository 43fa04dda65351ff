// Tests docs/spec/query-language.md 5.6.
import { describe, expect, test } from '@jest/globals';
import { bindFilter, type LikePattern, parseFilter, parseLikePattern } from '@vcds/odata-query';
import fc from 'fast-check';
import { errorOf } from './error-of.ts';
import { TABLE } from './example-table.ts';
import { evaluate } from './reference-evaluator.ts';

/** `%` for a run, `_` for one character, `<text>` for text. */
function short(pattern: LikePattern | undefined): string | undefined {
  return pattern?.parts
    .map((part) =>
      part.kind === 'literal' ? `<${part.text}>` : part.kind === 'anyRun' ? '%' : '_',
    )
    .join('');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function isLike(value: string, pattern: string): boolean {
  const filter = bindFilter(parseFilter(`Name like ${quoted(pattern)}`), TABLE);
  return evaluate(filter, { Name: value });
}

describe('a like pattern', () => {
  test.each([
    ['acme', '%<acme>%'],
    ['acme%', '<acme>%'],
    ['%acme', '%<acme>'],
    ['a_me', '<a>_<me>'],
    ['%%a%%%b', '%<a>%<b>'],
    ['_%_', '_%_'],
    ['%', '%'],
    ['', '%'],
    ['100\\%', '%<100%>%'],
    ['100\\%%', '<100%>%'],
    ['a\\_b', '%<a_b>%'],
    ['a\\\\', '%<a\\>%'],
    ['a\\\\%', '<a\\>%'],
    ['\\a\\b', '%<ab>%'],
    ['\\\u{1F600}', '%<\u{1F600}>%'],
  ])('%s is read into parts', (text, expected) => {
    expect(short(parseLikePattern(text))).toBe(expected);
  });

  test.each(['\\', 'a%\\', 'a\\\\\\'])('%s ends in a single backslash and is rejected', (text) => {
    expect(parseLikePattern(text)).toBeUndefined();
    const error = errorOf(() => bindFilter(parseFilter(`Name like ${quoted(text)}`), TABLE));
    expect(error).toMatchObject({ code: 'bad_filter', field: 'Name', position: 10 });
    expect(error.message).toContain('single backslash');
  });

  test('is frozen and normal: no empty text, no two texts or runs side by side', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '%', '_', '\\', '\u{1F600}') }),
        (text) => {
          const pattern = parseLikePattern(text);
          if (pattern === undefined) return;
          expect(Object.isFrozen(pattern) && Object.isFrozen(pattern.parts)).toBe(true);
          pattern.parts.forEach((part, index) => {
            const before = pattern.parts[index - 1]?.kind;
            expect(part.kind === 'literal' && part.text === '').toBe(false);
            expect(part.kind !== 'anyOne' && before === part.kind).toBe(false);
          });
        },
      ),
    );
  });

  test('escaped, any text is met by itself and by what contains it, and by nothing else', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\\', "'") });
    fc.assert(
      fc.property(texts, texts, texts, (text, before, after) => {
        const escaped = text.replace(/[\\%_]/g, '\\$&');
        expect(isLike(before + text + after, escaped)).toBe(true);
        expect(isLike(text, `%${escaped}`)).toBe(true);
        expect(isLike(before, escaped)).toBe(before.includes(text));
        expect(isLike(before, `${escaped}%`)).toBe(before.startsWith(text));
        expect(isLike(before, `%${escaped}`)).toBe(before.endsWith(text));
      }),
    );
  });

  test.each([
    ['Café Société', 'cafe', true],
    ['cafe', 'CAFÉ', true],
    ['abc', 'a_c', true],
    ['ac', 'a_c', false],
    ['a\u{1F600}c', 'a_c', true],
    ['mississippi', 'm%iss%ip%i', true],
    ['mississippi', 'm%iss%ipx%i', false],
    ['abc', '_', false],
    ['', '_', false],
    ['', '', true],
  ])('%s like %s: %s', (value, pattern, expected) => {
    expect(isLike(value, pattern)).toBe(expected);
  });

  test('null is like nothing', () => {
    expect(evaluate(bindFilter(parseFilter("Name like '%'"), TABLE), { Name: null })).toBe(false);
  });
});
