// Tests docs/spec/resources.md 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8.
// Tests docs/spec/categories.md 8.2.
// Tests docs/spec/signals.md 9.5.
// Tests docs/spec/errors.md 11.2.
// Tests docs/spec/plans.md 13.1, 13.2.
// Tests docs/spec/activity.md 21.2.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import { PLANS } from '@vcds/metering';
import { BOUNDS } from '@vcds/odata-query';
import { ERRORS } from '@vcds/service-kit';
import { DIMENSIONS } from '@vcds/venture-model';
import { TOP_FACETS, TOP_VALUES } from '../../src/categories/query.ts';
import { TOP } from '../../src/collections/query.ts';
import { type Resource, type ResourceField, resources } from '../../src/resources/index.ts';
import { SEARCHES } from '../../src/search/query.ts';
import { SIGNALS_LIMIT } from '../../src/signals/query.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { SIMILAR_TOP } from '../../src/similar/plan.ts';

/** The cells of the table in a section of docs/spec, without code style, heading and ruler. */
function tableOf(page: string, section: string): string[][] {
  const text = readFileSync(new URL(`../../../../docs/spec/${page}`, import.meta.url), 'utf8');
  const [, body = ''] = text.split(`\n## ${section} `);
  const [own = ''] = body.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| '));
  return rows
    .slice(2)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.replaceAll('`', '').trim()));
}

function useOf(field: ResourceField): string {
  if (field.computed) return 'computed';
  if (field.selectable === false) return 'filter only';
  if (!field.filterable) return 'shown';
  return field.sortable ? 'filter, sort' : 'filter';
}

/** The whole number that a cell begins with. */
const numberIn = (cell = ''): number => Number(/^[\d,]*\d/.exec(cell)?.[0].replaceAll(',', ''));

describe('the tables of docs/spec', () => {
  test.each<[section: string, Resource]>([
    ['4.3', resources.fund],
    ['4.4', resources.startup],
    ['4.5', resources.fundingRound],
    ['4.6', resources.postValuation],
    ['4.7', resources.person],
    ['4.8', resources.news],
    ['4.9', resources.holding],
    ['4.12', resources.reference],
  ])('list in section %s every field with its type and use', (section, { fields }) => {
    const common = ['Id', 'CreatedTimeStamp', 'UpdatedTimeStamp'];
    const own = [...fields.values()].filter(({ name }) => !common.includes(name));
    const table = tableOf('resources.md', section).map((cells) => cells.slice(0, 3));
    expect(table).toEqual(
      own.map((field) => [field.name, field.type + (field.many ? '[]' : ''), useOf(field)]),
    );
  });

  test('list every relation', () => {
    const text = readFileSync(
      new URL('../../../../docs/spec/resources.md', import.meta.url),
      'utf8',
    );
    const named = Object.values(resources).flatMap(({ relations }) => [...relations.keys()]);
    expect(named.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test('list every dimension', () => {
    const rows = tableOf('categories.md', '8.2').flatMap(([ids = '', kind, of, fields = '']) => {
      const names = fields.split(', ');
      return ids.split(', ').map((id, index) => [id, kind, of, names[index]]);
    });
    expect(rows).toEqual(
      DIMENSIONS.map(({ id, kind, entities, filterField }) => [
        id,
        kind,
        entities.join(', '),
        filterField,
      ]),
    );
  });

  test('list every type of signal', () => {
    const rows = tableOf('signals.md', '9.5').flatMap(([names = '', ...rest]) =>
      names.split(', ').map((name) => [name, ...rest]),
    );
    expect(new Set(rows)).toEqual(
      new Set(
        SIGNAL_TYPES.map(({ name, subjects, object, carriesAmount }) => [
          name,
          subjects.join(' or '),
          object ?? 'none',
          carriesAmount ? 'yes' : 'no',
        ]),
      ),
    );
  });

  test('list every type of activity', () => {
    const rows = tableOf('activity.md', '21.2').map(([name, , subject]) => [name, subject]);
    expect(rows).toEqual(SIGNAL_TYPES.map(({ name, subjects }) => [name, subjects.join(' or ')]));
  });

  test('list every plan and scope', () => {
    const plans = tableOf('plans.md', '13.1').map(([id, credits, top]) => [
      id,
      numberIn(credits),
      numberIn(top),
    ]);
    expect(plans).toEqual(
      Object.values(PLANS).map(({ id, creditsPerMonth, topMax }) => [id, creditsPerMonth, topMax]),
    );
    const scopes = tableOf('plans.md', '13.2').flatMap(([names = '']) => names.split(', '));
    expect(scopes).toEqual(SCOPES);
  });

  test('list every error code with its status', () => {
    const rows = ['11.2', '11.3', '11.4'].flatMap((section) => tableOf('errors.md', section));
    const listed = rows.flatMap(([statuses = '', codes = '']) => {
      const each = statuses.split(', ');
      return codes.split(', ').map((code, index) => `${code} ${each[index] ?? each[0]}`);
    });
    const codes = Object.entries(ERRORS).map(([code, status]) => `${code} ${status}`);
    expect([...new Set(listed)].sort()).toEqual(codes.sort());
  });

  test('list the default and the greatest size of every page', () => {
    const rows = tableOf('limits.md', '12.2').map(([, size, max]) => [
      numberIn(size),
      numberIn(max),
    ]);
    expect(rows.slice(0, 7)).toEqual([
      [TOP.default, TOP.max],
      [SIGNALS_LIMIT.default, SIGNALS_LIMIT.max],
      [SEARCHES.oneType.top.default, 100],
      [SEARCHES.companies.top.default, 100],
      [SIMILAR_TOP.default, SIMILAR_TOP.max],
      [TOP_VALUES.default, TOP_VALUES.max],
      [TOP_FACETS.default, TOP_FACETS.max],
    ]);
  });

  test('list the bounds of a filter', () => {
    const [filter = [], keywords, pattern, short, names] = tableOf('limits.md', '12.1');
    expect(filter[1]?.match(/\d[\d,]*(?= )/g)?.map(numberIn)).toEqual([
      BOUNDS.filterCharacters,
      BOUNDS.filterTerms,
      BOUNDS.filterDepth,
      BOUNDS.listValues,
    ]);
    expect([keywords, pattern, short, names].map((row) => numberIn(row?.[1]))).toEqual([
      BOUNDS.keywordsCharacters,
      BOUNDS.patternCharacters,
      BOUNDS.shortPatterns,
      BOUNDS.listNames,
    ]);
  });
});
