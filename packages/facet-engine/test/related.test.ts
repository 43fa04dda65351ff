// Tests docs/spec/categories.md 8.7.
import { expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import type { RecordCondition, RelatedNarrowing } from '../src/port.ts';
import { idOf } from './support/arbitraries.ts';
import { InlineEngine, type WrittenLink } from './support/inline-engine.ts';
import { dimensionOf, ENTITY_IDS } from './support/schema.ts';

/** Values a, b, c of genre (1) and country (2), and of award (40), which is also the tag of links. */
const DIMENSIONS = ['genre', 'country', 'award'] as const;
const VALUES = DIMENSIONS.flatMap((id, d) =>
  ['a', 'b', 'c'].map((value, v) => ({
    ...{ code: 1 + d * 3 + v, dimension: dimensionOf(id).number },
    ...{ value, folded: value },
  })),
);
const TAG_DIMENSION = 'award';
const RELATIONS = ['films.books', 'films.games', 'games.films', 'books.films'] as const;
const IDS = 12;

interface Row {
  readonly codes: readonly number[];
  readonly links: readonly WrittenLink[];
}

const ids = fc.nat({ max: IDS - 1 }).map(idOf);
const rows: fc.Arbitrary<Row> = fc.record({
  codes: fc.subarray(VALUES.map(({ code }) => code)),
  links: fc.uniqueArray(fc.record({ id: ids, tag: fc.constantFrom(0, 7, 8, 9) }), {
    selector: ({ id }) => id,
    maxLength: 4,
  }),
});
const batches = fc.array(
  fc.array(
    fc.record({
      entity: fc.nat({ max: 2 }),
      id: ids,
      row: fc.option(rows, { nil: undefined, freq: 4 }),
    }),
    { maxLength: 40 },
  ),
  { minLength: 1, maxLength: 5 },
);
const narrowings = fc.array(
  fc.record({
    dimension: fc.constantFrom(...DIMENSIONS),
    values: fc.subarray(['a', 'b', 'c', 'unknown'], { minLength: 1 }),
  }),
  { maxLength: 3 },
);
const asked = fc.record({
  relation: fc.constantFrom(...RELATIONS),
  related: fc.array(narrowings, { minLength: 1, maxLength: 2 }),
  own: narrowings,
});

/** The records in plain maps, by entity and id. */
class Reference {
  readonly rows: readonly Map<string, Row>[] = ENTITY_IDS.map(() => new Map());

  /** The rows related to a record, each with the tag of its link. */
  relatedTo(id: string, relation: string): readonly (readonly [Row, number])[] {
    const [films, books, games] = this.rows as [
      Map<string, Row>,
      Map<string, Row>,
      Map<string, Row>,
    ];
    const linked = (from: Row | undefined, to: Map<string, Row>) =>
      (from?.links ?? []).flatMap(({ id: target, tag }) => {
        const row = to.get(target);
        return row === undefined ? [] : [[row, tag] as const];
      });
    const linking = (from: Map<string, Row>) =>
      [...from.values()].flatMap((row) =>
        row.links.filter((link) => link.id === id).map(({ tag }) => [row, tag] as const),
      );
    if (relation === 'films.books') return linked(films.get(id), books);
    if (relation === 'games.films') return linked(games.get(id), films);
    return linking(relation === 'films.games' ? games : films);
  }

  meets(id: string, { relation, narrowing }: RelatedNarrowing): boolean {
    const isOfLink = (dimension: string) =>
      relation === 'books.films' && dimension === TAG_DIMENSION;
    return this.relatedTo(id, relation).some(([row, tag]) =>
      narrowing.every(({ dimension, values }) =>
        has(isOfLink(dimension) ? [tag] : row.codes, dimension, values),
      ),
    );
  }
}

function has(codes: readonly number[], dimension: string, values: readonly unknown[]): boolean {
  const { number } = dimensionOf(dimension);
  return VALUES.some(
    (each) => each.dimension === number && values.includes(each.value) && codes.includes(each.code),
  );
}

test.each([
  ['in one mutable segment', {}],
  ['in many segments that are compacted', { segmentRecordsMax: 5, deadShareMax: 0.05 }],
  ['in many segments, in reused memory', { segmentRecordsMax: 5, recycles: true, listMax: 0 }],
])('one related record has all values of a narrowing %s, after any writes', async (_, options) => {
  await fc.assert(
    fc.asyncProperty(batches, fc.array(asked, { minLength: 1 }), async (written, questions) => {
      const engine = new InlineEngine({ ...options, bitsRecordsMin: 3 });
      engine.addValues(VALUES);
      const reference = new Reference();
      for (const batch of written) {
        for (const { entity, id, row } of batch) {
          engine.write(entity, id, row?.codes, row ? [row.links] : []);
          if (row === undefined) reference.rows[entity]?.delete(id);
          else reference.rows[entity]?.set(id, row);
        }
        while (engine.store.compact()) engine.publish();
        engine.publish();
        for (const { relation, related: groups, own } of questions) {
          const entity = relation.split('.')[0] ?? '';
          const related = groups.map((narrowing) => ({ relation, narrowing }));
          const live = [...(reference.rows[ENTITY_IDS.indexOf(entity)] ?? [])];
          const matches = live.filter(
            ([id, { codes }]) =>
              related.every((each) => reference.meets(id, each)) &&
              own.every(({ dimension, values }) => has(codes, dimension, values)),
          );
          const where: RecordCondition = {
            kind: 'and',
            of: [
              ...related.map((each) => ({ kind: 'related' as const, ...each })),
              ...own.map((each) => ({ kind: 'values' as const, ...each })),
            ],
          };
          expect(await engine.countRecords({ entity, where })).toBe(matches.length);
          const facets = [{ dimension: 'genre', top: 9, skip: 0, order: 'value' as const }];
          const counted = await engine.count({ entity, narrowing: own, related, facets });
          expect(counted.total).toBe(matches.length);
          // Without its own selection, but with those of related records.
          const without = own.filter(({ dimension }) => dimension !== 'genre');
          const base = live.filter(
            ([id, { codes }]) =>
              related.every((each) => reference.meets(id, each)) &&
              without.every(({ dimension, values }) => has(codes, dimension, values)),
          );
          const genres = ['a', 'b', 'c'].map((value) => ({
            value,
            count: base.filter(([, { codes }]) => has(codes, 'genre', [value])).length,
          }));
          expect(counted.facets.get('genre')).toEqual(genres.filter(({ count }) => count > 0));
        }
      }
    }),
    runs(10, 500),
  );
});

test('a table with one more dimension is counted, and values of an unknown one are left out', async () => {
  const engine = new InlineEngine();
  const unknown = { code: 20, dimension: 300, value: 'later', folded: 'later' };
  engine.addValues([...VALUES, unknown]);
  // Code 7 is of the dimension 40, the highest number of the schema.
  engine.write(0, idOf(1), [1, 7, 20]);
  engine.write(0, idOf(2), [20]);
  engine.publish();
  const facets = [{ dimension: 'award', top: 9, skip: 0, order: 'value' as const }];
  const { total, facets: counts } = await engine.count({ entity: 'films', narrowing: [], facets });
  expect([total, counts.get('award')]).toEqual([2, [{ value: 'a', count: 1 }]]);
});
