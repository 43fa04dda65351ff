import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { assertArguments } from '../src/arguments.ts';
import { bound } from '../src/bound.ts';
import { boundedAnswer, CHARACTERS_MAX } from '../src/server.ts';
import { toolOf } from './tool-of.ts';

const sizeOf = (value: unknown) => JSON.stringify(value).length;

describe('a bounded value', () => {
  test('is the same within the bound', () => {
    const value = { records: [1, 2, 3], text: 'x' };
    expect(bound(value, 100)).toEqual({ value, cuts: [], shortened: false });
  });

  test('has shorter texts before fewer records', () => {
    const records = Array.from({ length: 5 }, () => ({ Description: 'x'.repeat(1_000) }));
    const { value, cuts } = bound({ records }, 2_000);
    expect(cuts).toEqual([]);
    expect((value.records as { Description: string }[])[4]?.Description).toBe(
      `${'x'.repeat(299)}…`,
    );
  });

  test('is never cut inside a character', () => {
    const parts = (lengthMax: number) => `${'x'.repeat(lengthMax - 2)}${'😀'.repeat(500)}`;
    for (const [lengthMax, charactersMax] of [
      [300, 500],
      [60, 100],
    ] as const) {
      const { value } = bound({ text: parts(lengthMax) }, charactersMax);
      expect(value.text).toBe(`${'x'.repeat(lengthMax - 2)}…`);
    }
    const match = { Id: 'x', Description: parts(161), Country: [] };
    const answer = toolOf('find_company').answer(
      {},
      {
        ...{ data: [match], hasNext: false, cursor: null, limit: null },
      },
    );
    expect(answer).toMatchObject({ matches: [{ Description: 'x'.repeat(159) }] });
    const unknown = { [parts(101)]: 1 };
    expect(() => assertArguments(toolOf('find_company').input, unknown)).toThrow(
      /argument x{99}\./,
    );
  });

  test('loses the last elements of the longest list, wherever that is', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
    const { value, cuts } = bound({ record: { Startups: ids(500), Tags: ids(3) } }, 1_000);
    const { Startups, Tags } = value.record as Record<string, unknown[]>;
    expect(sizeOf(value)).toBeLessThanOrEqual(1_000);
    expect(sizeOf(value)).toBeGreaterThan(980);
    expect(cuts).toEqual([{ path: 'record.Startups', shown: Startups?.length, of: 500 }]);
    expect([Startups, Tags]).toEqual([ids(Startups?.length ?? 0), ids(3)]);
  });

  test('fits for any nesting of lists and texts', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ maxLength: 2_000 }),
        fc.array(tie('tree'), { maxLength: 30 }),
        fc.record({ a: tie('tree'), b: tie('tree') }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(sizeOf(bound({ value }, 5_000).value)).toBeLessThanOrEqual(5_000);
      }),
      runs(200),
    );
  });
});

describe('the answer of a page', () => {
  const list = toolOf('list_records');
  const page = (count: number) => Array.from({ length: count }, (_, Id) => ({ Id }));
  const nextOf = (args: object, data: unknown[], hasNext: boolean) =>
    boundedAnswer(
      list,
      { collection: 'funds', ...args },
      { data, hasNext, cursor: null, limit: null },
    ).next_skip;

  test('continues after the records shown', () => {
    expect(nextOf({ top: 3 }, page(3), true)).toBe(3);
    expect(nextOf({ top: 3, skip: 6 }, page(3), true)).toBe(9);
    expect(nextOf({ top: 3, skip: 6 }, page(3), false)).toBeUndefined();
    const wide = page(100).map(({ Id }) => ({ Id, Name: 'x'.repeat(290) }));
    const answer = boundedAnswer(
      list,
      { collection: 'funds', top: 100 },
      { data: wide, hasNext: false, cursor: null, limit: null },
    );
    const shown = (answer.records as unknown[]).length;
    expect(shown).toBeLessThan(100);
    expect(answer).toMatchObject({ next_skip: shown, cut: { parts: [{ shown, of: 100 }] } });
    expect(sizeOf(answer)).toBeLessThan(CHARACTERS_MAX);
  });

  test('has a hint if the filter matches nothing', () => {
    const hint = { hint: expect.stringContaining('narrow') };
    const answer = (args: object, data: unknown) =>
      boundedAnswer(
        list,
        { collection: 'funds', ...args },
        { data, hasNext: false, cursor: null, limit: null },
      );
    expect(answer({ filter: "Name eq 'x'" }, [])).toEqual({ records: [], ...hint });
    expect(answer({}, [])).toEqual({ records: [] });
    const counted = toolOf('count_records').answer(
      { filter: "Name eq 'x'" },
      {
        ...{ data: { count: 0 }, hasNext: false, cursor: null, limit: null },
      },
    );
    expect(counted).toEqual({ count: 0, ...hint });
  });

  test('after a cursor without next_skip says how to continue, if it has no cursor', () => {
    const filter = `Name eq '${'x'.repeat(4_000)}'`;
    const answer = (cursor: string | null, skip: object) =>
      boundedAnswer(
        list,
        { ...{ collection: 'funds', top: 3, filter, cursor: 'a' }, ...skip },
        { data: page(3), hasNext: true, cursor, limit: null },
      );
    expect(answer(null, {})).toMatchObject({ hint: expect.stringContaining('skip') });
    expect(answer(null, { skip: 6 })).toMatchObject({ next_skip: 9 });
    expect(answer('b', {})).toEqual({ records: page(3), next_cursor: 'b' });
  });

  test('of changes has no cursor if some were left out', () => {
    const changes = toolOf('follow_changes');
    const answer = (length: number) => {
      const signals = Array.from({ length: 50 }, () => ({ label: 'x'.repeat(length) }));
      const data = { signals, nextCursor: 'c', hasMore: true };
      return boundedAnswer(changes, {}, { data, hasNext: false, cursor: null, limit: null });
    };
    expect(answer(100)).toMatchObject({ next_cursor: 'c', has_more: true });
    expect(answer(290 * 2)).not.toHaveProperty('cut.parts.0');
    const many = { signals: [[...'x'.repeat(30_000)]], nextCursor: 'c', hasMore: true };
    const cut = boundedAnswer(
      changes,
      {},
      { data: many, hasNext: false, cursor: null, limit: null },
    );
    expect(cut).toHaveProperty('cut.parts.0.path', 'signals.0');
  });

  test('of changes keeps all of them with shorter names, or names the limit to use', () => {
    const answer = (members: number) => {
      const names = Object.fromEntries(
        Array.from({ length: members }, (_, index) => [`name${index}`, 'x'.repeat(1_000)]),
      );
      const data = { signals: Array(50).fill(names), nextCursor: 'c', hasMore: true };
      const response = { data, hasNext: false, cursor: null, limit: null };
      return boundedAnswer(toolOf('follow_changes'), { limit: 50 }, response);
    };
    for (const members of [1, 3, 5]) {
      expect(answer(members)).toMatchObject({ next_cursor: 'c', cut: { parts: [] } });
      expect(answer(members).signals).toHaveLength(50);
    }
    const { signals, hint, next_cursor } = answer(9);
    const shown = (signals as unknown[]).length;
    expect(shown).toBeLessThan(50);
    expect({ hint, next_cursor }).toEqual({
      hint: `${50 - shown} changes were left out: repeat with limit ${shown}.`,
    });
  });

  test('of headlines has no next_skip above its maximum', () => {
    const next = (args: Record<string, unknown>, hasNext: boolean) =>
      boundedAnswer(toolOf('recent_activity'), args, {
        ...{ data: page(20), hasNext, cursor: null, limit: null },
      });
    expect(next({ skip: 9_980 }, true)).toMatchObject({ next_skip: 10_000 });
    const last = next({ skip: 9_981 }, true);
    expect(last).toMatchObject({ hint: expect.stringContaining('until') });
    expect(last).not.toHaveProperty('next_skip');
    expect(Object.keys(next({}, false))).toEqual(['entries']);
  });
});
