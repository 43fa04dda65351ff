// Tests docs/spec/plans.md 13.3.
import { describe, expect, test } from '@jest/globals';
import { SCOPES, type Scope } from '@vcds/credentials';
import fc from 'fast-check';
import { narrowed, readKeyName } from '../../src/keys/key-rules.ts';
import { monthParameter, parseMonth } from '../../src/pages/format.ts';
import { html } from '../../src/pages/html.ts';

const someScopes = fc.subarray([...SCOPES], { minLength: 1 });
const held = fc.option(someScopes, { nil: null });

describe('narrowing', () => {
  test('leaves exactly the given scopes if the key had all of them, and fails otherwise', () => {
    fc.assert(
      fc.property(held, fc.subarray([...SCOPES]), (has, scopes) => {
        const left = narrowed(has, new Set(scopes));
        const reach: readonly Scope[] = has ?? SCOPES;
        const isPart = scopes.length > 0 && scopes.every((scope) => reach.includes(scope));
        expect(left !== undefined).toBe(isPart);
        if (isPart) expect(left ?? SCOPES).toEqual(scopes);
      }),
    );
  });

  test('never adds a scope, in any sequence', () => {
    fc.assert(
      fc.property(held, fc.array(someScopes), (has, sequence) => {
        let left: readonly Scope[] | null = has;
        for (const scopes of sequence) {
          const reach: readonly Scope[] = left ?? SCOPES;
          const next = narrowed(left, new Set(scopes));
          if (next !== undefined) left = next;
          expect((left ?? SCOPES).every((scope) => reach.includes(scope))).toBe(true);
        }
      }),
    );
  });
});

test('the name of a key is the input on one line of at most sixty characters, or an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (typed) => {
      const read = readKeyName(typed);
      if ('fault' in read || read.name === undefined) return;
      expect([...read.name].length).toBeLessThanOrEqual(60);
      expect(read.name).not.toMatch(/[\p{C}\n]/u);
      expect(readKeyName(read.name)).toEqual(read);
    }),
  );
});

test('whatever is put into a page stays text, and is escaped once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { markup } = html`<a title="${text}">${text}</a>`;
      expect(markup.match(/[<>"']/g)).toHaveLength(6);
      const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
      const read = markup.slice(10, -4).replace(/&[^;]+;/g, (entity) => {
        return Object.entries(entities).find(([name]) => name === entity)?.[1] ?? entity;
      });
      expect(read).toBe(`${text}">${text}`);
      const piece = html`<b>${text}</b>`;
      expect(html`<p>${piece}</p>`.markup).toBe(`<p>${piece.markup}</p>`);
    }),
  );
});

test('a month goes into an address and comes back; anything else is none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 9999 }), fc.integer({ min: 1, max: 12 }), (y, m) => {
      expect(parseMonth(monthParameter(y * 100 + m))).toBe(y * 100 + m);
    }),
  );
  for (const text of ['', '2026', '2026-00', '2026-1', '0999-01', 'x']) {
    expect(parseMonth(text)).toBeUndefined();
  }
});
