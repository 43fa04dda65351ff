import { expect, test } from '@jest/globals';
import { createServiceTokenSigner } from '@vcds/credentials';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import type { FacetQuery, LoadedFacetEngine } from '../../src/categories/facet-schema.ts';
import {
  FACET_SCHEMA_DIGEST,
  FACETS_COUNT_PATH,
  FACETS_PARTIES,
} from '../../src/categories/remote-engine/protocol.ts';
import { SqlFacetEngine } from '../../src/categories/sql-engine/sql-engine.ts';
import { openCategoryApi } from './support/category-api.ts';
import { openDatabase } from './support/engines.ts';
import {
  openFacetProcess,
  openSilentProxy,
  remoteEngine,
  SERVICE_TOKEN_SECRET,
} from './support/facet-process.ts';
import { openCounted } from './support/open-counted.ts';

const QUERY: FacetQuery = {
  entity: 'startups',
  narrowing: [{ dimension: 'country', values: ['France'] }],
  facets: [{ dimension: 'industry', top: 5, skip: 0, order: 'count' }],
};

const api = await closedAfterAll(openCategoryApi());
const database = await closedAfterAll(openDatabase(api.url));
const expected = await new SqlFacetEngine(database).count(QUERY);

const open = (loaded: LoadedFacetEngine, registry = new Registry()) =>
  openCounted({ database, url: api.url, loaded, registry });

test('a facet process counts; the database does while it is stopped', async () => {
  const first = await openFacetProcess(api.url);
  const engine = remoteEngine(first.url);
  const registry = new Registry();
  const { facets, counts } = open(engine, registry);
  const countTo = async (sql: number, remote: number) => {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect([await counts('sql', 'answered'), await counts('remote', 'answered')]).toEqual([
      sql,
      remote,
    ]);
  };
  try {
    await eventually(() => engine.state().ready);
    await countTo(0, 1);
    expect(await registry.metrics()).toMatch(
      /^vcds_facet_engine_records\{engine="remote",entity="startups"\} 118$/m,
    );
    const text = await (await fetch(`${first.url}/metrics`)).text();
    expect(text).toMatch(
      /^vcds_facet_count_duration_seconds_count\{.*engine="columnar",outcome="answered"\} 1$/m,
    );
    expect((await fetch(`${first.url}/ready`)).status).toBe(200);
    await first.stop();
    await countTo(1, 1);
    const second = await openFacetProcess(api.url, first.port);
    try {
      await eventually(() => engine.state().ready);
      await countTo(1, 2);
    } finally {
      await second.stop();
    }
  } finally {
    await facets.close();
    await first.stop();
  }
});

test('a facet process that stops responding gets no further counts until it responds', async () => {
  const process = await openFacetProcess(api.url);
  const proxy = await openSilentProxy(process.url);
  const engine = remoteEngine(proxy.url, { countMsMax: 100 });
  const { facets } = open(engine);
  try {
    await eventually(() => engine.state().ready);
    proxy.setSilent(true);
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(engine.state().ready).toBe(false);
    const received = proxy.counts();
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(proxy.counts()).toBe(received);
    proxy.setSilent(false);
    await eventually(() => engine.state().ready);
  } finally {
    await facets.close();
    proxy.close();
    await process.stop();
  }
});

test('a facet process rejects callers without its secret, of another schema, and invalid queries', async () => {
  const process = await openFacetProcess(api.url);
  const other = remoteEngine(process.url, {
    serviceTokenSecret: 'another secret of calls between services',
  });
  try {
    await eventually(async () => (await fetch(`${process.url}/ready`)).ok);
    const sign = createServiceTokenSigner(SERVICE_TOKEN_SECRET, FACETS_PARTIES);
    const ask = async (body: object, token = sign()) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const options = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(process.url + FACETS_COUNT_PATH, options)).status;
    };
    const valid = { schema: FACET_SCHEMA_DIGEST, query: QUERY };
    expect(await ask(valid)).toBe(200);
    const keyCheck = { ...FACETS_PARTIES, audience: 'access-api' };
    expect(await ask(valid, createServiceTokenSigner(SERVICE_TOKEN_SECRET, keyCheck)())).toBe(401);
    expect(await ask(valid, '')).toBe(401);
    expect(await ask({ ...valid, schema: 'other' })).toBe(503);
    expect(await ask({ ...valid, query: { ...QUERY, entity: 'other' } })).toBe(400);
    expect(await ask({ ...valid, filler: ' '.repeat(300_000) })).toBe(413);
    other.start();
    await eventually(async () => {
      const text = await (await fetch(`${process.url}/metrics`)).text();
      return /route="\/internal\/v1\/facets\/state".*status="401"/.test(text);
    });
    expect(other.state().ready).toBe(false);
    await expect(other.count(QUERY)).rejects.toThrow(/not ready/);
  } finally {
    await other.close();
    await process.stop();
  }
});
