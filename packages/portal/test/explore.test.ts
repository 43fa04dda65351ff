// Tests docs/spec/addresses.md 1.8: the explorer of the documentation, without a browser.
import { describe, expect, test } from '@jest/globals';
import { quote, rateFor } from '@vcds/metering';
import fc from 'fast-check';
import { chartCall, countCalls, recordsCall } from '../site/.vitepress/theme/explore/calls.ts';
import { catalogueOf } from '../site/.vitepress/theme/explore/catalogue.ts';
import { barsOf, columnsOf } from '../site/.vitepress/theme/explore/chart-layout.ts';
import { ENTITIES, ENTITY_NAMES } from '../site/.vitepress/theme/explore/entities.ts';
import { csvOf, nextPeriod, viewOf } from '../site/.vitepress/theme/explore/figures.ts';
import { snippetsOf } from '../site/.vitepress/theme/explore/snippets.ts';
import {
  type ExploreState,
  keysOf,
  readList,
  readState,
  writeList,
  writeState,
} from '../site/.vitepress/theme/explore/state.ts';

const catalogue = catalogueOf();
const values = fc.uniqueArray(
  fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter((text) => text.trim() !== ''),
  { minLength: 1, maxLength: 5 },
);
const states: fc.Arbitrary<ExploreState> = fc.constantFrom(...ENTITY_NAMES).chain((entity) =>
  fc.record({
    entity: fc.constant(entity),
    by: fc.constantFrom(...keysOf(entity, catalogue).map(([key]) => key)),
    figure: fc.constantFrom(...ENTITIES[entity].figures.map(({ name }) => name)),
    since: fc.option(fc.integer({ min: 1980, max: 2100 }), { nil: undefined }),
    narrow: fc.dictionary(
      fc.constantFrom(...catalogue.dimensions[entity].map(({ id }) => id)),
      values,
      { maxKeys: 4, noNullPrototype: true },
    ),
  }),
);

describe('the address', () => {
  test('has the whole state', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readState(writeState(state), catalogue)).toEqual(state);
      }),
    );
  });

  test('whatever it says, leads to a state of the page', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.string(), (query, list) => {
        const state = readState(`${query}&country=${encodeURIComponent(list)}`, catalogue);
        expect(readState(writeState(state), catalogue)).toEqual(state);
      }),
    );
  });

  test('a list is read as it was written', () => {
    fc.assert(
      fc.property(values, (list) => {
        expect(readList(writeList(list))).toEqual(list);
      }),
    );
  });
});

describe('prices', () => {
  test('are those of the rate card', () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 1, max: 1_000 }), (state, records) => {
        const open = catalogue.dimensions[state.entity].map(({ id }) => id);
        for (const call of [chartCall(state, catalogue), ...countCalls(state, open, catalogue)]) {
          const flat = { ceilingRecords: 0, expands: 0, countOnly: false };
          expect(call.price).toBe(quote(rateFor(call.path), flat).ceiling);
        }
        const list = recordsCall(state, records, catalogue);
        if (list === undefined) return;
        const expands = list.parameters.filter(([name]) => name === '$expand').length;
        const asked = { ceilingRecords: records, expands, countOnly: false };
        expect(list.price).toBe(quote(rateFor(ENTITIES[state.entity].path), asked).ceiling);
      }),
    );
  });

  test('drawing another figure of times and scales needs no other call', () => {
    const state = readState('entity=rounds&by=quarter(Date)', catalogue);
    const calls = ENTITIES.rounds.figures.map(({ name }) =>
      JSON.stringify(chartCall({ ...state, figure: name }, catalogue)),
    );
    expect(new Set(calls).size).toBe(1);
  });
});

describe('figures', () => {
  const row = (key: string | null, count: number, sum: number | null) => ({
    'quarter(Date)': key,
    country: key,
    count,
    'sum(Amount)': sum,
  });
  const answer = {
    rows: [row('2023-Q3', 2, 5_000_000), row('2024-Q2', 1, null), row(null, 4, 9)],
    total: row(null, 7, 5_000_009),
    ...{ groups: 3, more: false, narrowedBy: {}, asOf: { at: '2024-05-01T00:00:00Z' } },
  };
  const view = viewOf(answer, readState('entity=rounds&by=quarter(Date)', catalogue), catalogue);

  test('times without a record are shown, and the one that is not over is marked', () => {
    expect(view.groups.map(({ label, isPartial, figures }) => [label, isPartial, figures])).toEqual(
      [
        ['2023-Q3', false, [5_000_000, 2, null, null]],
        ['2023-Q4', false, [0, 0, null, null]],
        ['2024-Q1', false, [0, 0, null, null]],
        ['2024-Q2', true, [null, 1, null, null]],
      ],
    );
    expect([view.unknown?.figures[1], view.total.figures[1]]).toEqual([4, 7]);
  });

  test.each([
    ['2024', '2025'],
    ['2024-Q4', '2025-Q1'],
    ['2024-09', '2024-10'],
    ['2024-12', '2025-01'],
  ])('after %s comes %s', (label, next) => expect(nextPeriod(label)).toBe(next));

  test('the chart, its table and its file have the same numbers', () => {
    const marks = columnsOf(view, 800).marks.map(({ label, value }) => [label, value]);
    expect(marks).toEqual(view.groups.map(({ label, figures }) => [label, figures[0]]));
    const lines = csvOf(view).trimEnd().split('\r\n');
    expect(lines.slice(1, -1)).toEqual(
      view.groups.map(({ label, figures }) => [label, ...figures.map((f) => f ?? '')].join(',')),
    );
    const bars = { ...readState('entity=rounds&by=country&figure=count', catalogue) };
    const byCountry = viewOf(answer, bars, catalogue);
    expect(barsOf(byCountry, 800).marks.map(({ label, value }) => [label, value])).toEqual([
      ['2023-Q3', 2],
      ['2024-Q2', 1],
    ]);
  });

  test('a file runs no formula in a spreadsheet', () => {
    const evil = { ...view.total, label: '=HYPERLINK("x")' };
    expect(csvOf({ ...view, groups: [evil] })).toContain(`"'=HYPERLINK(""x"")"`);
  });
});

test('the call to copy is quoted for its language', () => {
  const state = readState(
    `entity=rounds&by=country&industry=${encodeURIComponent(`"O'R, x"`)}`,
    catalogue,
  );
  const { curl, MCP } = snippetsOf(chartCall(state, catalogue));
  expect(curl).toContain(`--data-urlencode 'industry="O'\\''R, x"'`);
  expect(MCP).toContain(`"O'R, x"`);
});
