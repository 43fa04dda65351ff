import { describe, expect, test } from '@jest/globals';
import { foldedName } from '@vcds/odata-query';
import { ACCESS_PATHS, type KnownPaths, suggestPath } from '@vcds/suggestions';
import {
  CLOSED_VALUE_SYNONYMS,
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
import { namesOf } from '../../src/request/parameters.ts';
import { resources } from '../../src/resources/index.ts';

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
