// Tests docs/spec/errors.md 11.7.
import { describe, expect, test } from '@jest/globals';
import { foldedName } from '@vcds/odata-query';
import { ACCESS_PATHS, type KnownPaths, suggestPath, unknownParameter } from '@vcds/suggestions';
import {
  CLOSED_VALUE_SYNONYMS,
  confirmations,
  DIMENSION_IDS,
  DIMENSION_SYNONYMS,
  ENTITY_IDS,
  ENTITY_SYNONYMS,
  exitStatuses,
  FIELD_SYNONYMS,
  investorTypes,
  memberBuckets,
  OPEN_VALUE_SYNONYMS,
  operatingStatuses,
  PARAMETER_SYNONYMS,
  PATH_SYNONYMS,
  personRoles,
  primarySources,
  RELATION_SYNONYMS,
  stages,
} from '@vcds/venture-model';
import { endpoints } from '../../src/endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { namesOf } from '../../src/serve/request/parameters.ts';

const every = Object.values(resources);
const fields = new Set(
  every.flatMap(({ name, fields: table }) =>
    [...table.keys()].flatMap((field) => [field, `${name}.${field}`]),
  ),
);
const relations = new Set(every.flatMap((each) => [...each.relations.keys()]));
const parameters = new Set(endpoints.flatMap(({ accepts }) => namesOf(accepts)));
const labels = new Set(
  [
    stages,
    memberBuckets,
    investorTypes,
    operatingStatuses,
    exitStatuses,
    confirmations,
    primarySources,
    personRoles,
  ]
    .flat()
    .map(({ label }) => label),
);
const segments = new Set(endpoints.flatMap(({ path }) => path.split('/')));

describe('every target of a synonym exists', () => {
  test.each([
    ['fields', FIELD_SYNONYMS, (name: string) => fields.has(name)],
    ['relations', RELATION_SYNONYMS, (name: string) => relations.has(name)],
    ['parameters', PARAMETER_SYNONYMS, (name: string) => parameters.has(name)],
    ['dimensions', DIMENSION_SYNONYMS, (name: string) => DIMENSION_IDS.some((id) => id === name)],
    ['entities', ENTITY_SYNONYMS, (name: string) => ENTITY_IDS.some((id) => id === name)],
    ['closed values', CLOSED_VALUE_SYNONYMS, (label: string) => labels.has(label)],
    [
      'paths',
      PATH_SYNONYMS,
      (path: string) =>
        path
          .split('/')
          .every((part) => segments.has(part) || DIMENSION_IDS.some((id) => id === part)),
    ],
  ])('of %s', (_, rows, exists) => {
    expect(Object.keys(rows).filter((target) => !exists(target))).toEqual([]);
  });

  test('every dimension and entity has a row', () => {
    expect(Object.keys(DIMENSION_SYNONYMS)).toEqual(DIMENSION_IDS);
    expect(Object.keys(ENTITY_SYNONYMS)).toEqual(ENTITY_IDS);
  });
});

test('no synonym is its own target or a duplicate', () => {
  for (const rows of [FIELD_SYNONYMS, RELATION_SYNONYMS, PARAMETER_SYNONYMS, DIMENSION_SYNONYMS]) {
    for (const [target, synonyms] of Object.entries<readonly string[]>(rows)) {
      const folded = synonyms.map(foldedName);
      expect([target, new Set(folded).size]).toEqual([target, folded.length]);
      expect([target, folded.includes(foldedName(target))]).toEqual([target, false]);
    }
  }
});

test('keys of values are in lower case, and a value is not its own synonym', () => {
  for (const [key, values] of Object.entries<readonly string[]>(OPEN_VALUE_SYNONYMS)) {
    expect(key).toBe(key.toLowerCase());
    expect(values).not.toContain(key);
  }
});

test('the tables have no prototype', () => {
  for (const rows of [FIELD_SYNONYMS, PARAMETER_SYNONYMS, OPEN_VALUE_SYNONYMS, PATH_SYNONYMS]) {
    expect('constructor' in rows).toBe(false);
  }
});

test('the paths of the access API are below its root', () => {
  for (const path of ACCESS_PATHS) expect(path).toMatch(/^\/[a-z/]+$/);
});

const ID = '50000000-0000-4000-8000-000000000001';
const suggested = (path: string) => suggestPath(path, { paths: endpoints });

test.each([
  ['/v2/startups/$count', '/v2/startups?$count=true'],
  [`/v2/startups/${ID}/fundingrounds/count`, `/v2/startups/${ID}/fundingrounds?$count=true`],
  [`/v2/funds/${ID}/portfolio/list`, `/v2/funds/${ID}/portfolio`],
  ['/v2/activityfeed/list', '/v2/activityfeed'],
  ['/v2/categories/list', '/v2/categories'],
  ['/v2/categories/industry/list', '/v2/categories/industry'],
  ['/v2/signals/types/all', '/v2/signals/types'],
  ['/v2/startups/search/list', '/v2/startups/search'],
  ['/v2/venturematching/list', undefined],
  [`/v2/startups/${ID}/count`, undefined],
  [`/v2/startups/${ID}/list`, undefined],
  ['/v2/pricing/$count', undefined],
  ['/v2/pricing/list', undefined],
  ['/v2/venturematching/count', undefined],
  ['/v2/activityfeed/$count', undefined],
])('of %s, an ending is replaced where the endpoint accepts that: %s', (path, meant) => {
  expect(suggested(path)).toBe(meant);
});

/** The suggestion for a parameter of `/startups`, where every value is accepted. */
function suggestionFor(name: string, parameters: Readonly<Record<string, string>>) {
  const { accepts, resource } = endpoints.find(({ path }) => path === '/startups') ?? {};
  return unknownParameter(name, {
    path: '/startups',
    accepts: namesOf(accepts ?? []),
    resource,
    parameters: new Map(Object.entries(parameters)),
    today: '2026-11-22',
    plan: () => undefined,
  }).details.suggestion;
}

test.each([
  ['3', {}, '$skip=50'],
  ['3', { $top: '10' }, '$skip=20'],
  ['2', { $top: 'abc' }, undefined],
  ['2', { $top: '0' }, undefined],
  ['2', { $top: '-5' }, undefined],
  ['2', { $top: '2.5' }, undefined],
  ['2', { $top: '' }, undefined],
])('of page %s with %j, $skip is suggested for a whole size of a page: %s', (page, size, meant) => {
  expect(suggestionFor('page', { page, ...size })).toBe(meant);
});

test.each(['\u202e', '\u001b[2J', '\u0000', '\ufeff', '\ud800'])(
  'a suggestion never contains the control or format character %j',
  (character) => {
    for (const name of ['q', 'website', 'City', 'investor_type', 'fund_group', 'sort', 'tag']) {
      const given = `Lon${character}don.com`;
      expect(suggestionFor(name, { [name]: given }) ?? '').not.toContain(character);
    }
    const filter = { $filter: `Name eq '${character}'`, City: 'London' };
    expect(suggestionFor('City', filter)).toBeUndefined();
    const path = `/v2/categories/country/${character}/startpus`;
    expect(suggested(path) ?? '').not.toContain(character);
  },
);

/** How often a path of an endpoint is read to find what was meant by `path`. */
function pathsRead(path: string): number {
  let reads = 0;
  const paths: KnownPaths['paths'] = endpoints.map((endpoint) => ({
    get path() {
      reads += 1;
      return endpoint.path;
    },
  }));
  suggestPath(path, { paths });
  return reads;
}

test('the comparisons of an unknown path do not multiply with its segments', () => {
  // Each of these segments has three names, and sending them needs no key.
  const [few, many] = [2, 8].map((n) => pathsRead(`/v2${'/companies'.repeat(n)}`));
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(10 * Number(few));
});
