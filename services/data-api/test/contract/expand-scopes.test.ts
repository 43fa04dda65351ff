import { describe, expect, test } from '@jest/globals';
import { SCOPES, type Scope } from '@vcds/credentials';
import { rateFor } from '@vcds/metering';
import { closedAfterAll } from '@vcds/test-kit';
import { resources } from '../../src/resources/index.ts';
import { chargedOf, errorOf, openApi, type TestApi } from '../support/api.ts';

/** Each collection, its resource and its scope. */
const COLLECTIONS = [
  ['/startups', resources.startup, 'companies'],
  ['/funds', resources.fund, 'companies'],
  ['/startups/fundingrounds', resources.fundingRound, 'rounds'],
  ['/startups/postvaluations', resources.postValuation, 'rounds'],
  ['/persons', resources.person, 'people'],
  ['/news', resources.news, 'news'],
] as const;

const apis = new Map<Scope, TestApi>();
for (const scope of ['companies', 'rounds', 'people', 'news'] as const) {
  const principal = { accountId: scope, scopes: new Set([scope]) };
  apis.set(scope, await closedAfterAll(openApi({ principal })));
}

function apiOf(scope: Scope): TestApi {
  const api = apis.get(scope);
  if (api === undefined) throw new Error(`No key is narrowed to ${scope}.`);
  return api;
}

const CASES = COLLECTIONS.flatMap(([path, resource, scope]) =>
  [...resource.relations.values()].map((relation) => {
    const needs = relation.kind === 'records' ? resources[relation.target].scope : scope;
    return { path, relation: relation.name, scope, needs };
  }),
);

describe('expanded records need their own scope', () => {
  test('the scope of a resource is the scope of its collection', () => {
    for (const [path, resource, scope] of COLLECTIONS) {
      expect(rateFor(path).scope).toBe(scope);
      expect(resource.scope).toBe(scope);
    }
    for (const { scope } of Object.values(resources)) expect(SCOPES).toContain(scope);
  });

  test.each(CASES)('$path?$expand=$relation, key narrowed to $scope: $needs', async (each) => {
    const reply = await apiOf(each.scope).get(each.path, { $expand: each.relation, $top: '2' });
    if (each.needs === each.scope) {
      expect(reply.status).toBe(200);
      return;
    }
    expect(reply.status).toBe(403);
    expect(chargedOf(reply)).toBe(0);
    expect(errorOf(reply)).toMatchObject({
      code: 'not_entitled',
      parameter: '$expand',
      value: each.relation,
    });
    expect(errorOf(reply).message).toContain(
      `restricted to ${each.scope} and does not include ${each.needs};`,
    );
  });

  test('the relations cross these scopes', () => {
    const rejected = CASES.filter(({ scope, needs }) => scope !== needs);
    const pairs = new Set(rejected.map(({ scope, needs }) => `${scope} ${needs}`));
    expect([...pairs].sort()).toEqual([
      'companies people',
      'companies rounds',
      'news companies',
      'people companies',
      'rounds companies',
    ]);
  });

  test('the same holds for a record, and beside an expand of the own scope', async () => {
    const companies = apiOf('companies');
    const [startup] = await companies.list('/startups', { $top: '1' });
    const path = `/startups/${startup?.Id}`;
    expect((await companies.get(path, { $expand: 'Persons' })).status).toBe(403);
    expect((await companies.get(path, { $expand: 'Funds,FundingRounds' })).status).toBe(403);
    expect((await companies.get(path, { $expand: 'Funds,Tags' })).status).toBe(200);
  });

  test('an unknown relation is reported before a missing scope', async () => {
    const reply = await apiOf('companies').get('/startups', { $expand: 'Persns' });
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_relation', suggestion: 'Persons' });
  });
});

test('an unknown entity is reported to keys of any scope', async () => {
  for (const api of apis.values()) {
    const reply = await api.get('/categories/stage/seed/startup');
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_entity', suggestion: 'startups' });
    expect(chargedOf(reply)).toBe(0);
  }
});
