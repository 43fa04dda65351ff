// Tests docs/spec/addresses.md 1.8.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@vcds/credentials';
import { quote } from '@vcds/metering';
import { postmanCollection } from '@vcds/portal/postman';
import { PRICED_CALLS } from '@vcds/portal/recipes';
import { endpoints } from '../../src/endpoints.ts';
import { createCursors } from '../../src/serve/cursors.ts';
import { priceOf } from '../../src/serve/price.ts';
import { ParameterReader } from '../../src/serve/request/parameter-reader.ts';

const ID = '5a0e6d2c-2b6b-4b7e-9a51-6f0f4f5a3c11';
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/\bID\b/g, ID],
  [/\$skip=M/, '$skip=3'],
  [/\{id\}/, ID],
];
const PRINCIPAL: Principal = {
  ...{ accountId: 'a', keyId: 'k', plan: 'free', scopes: null, expiresAt: null, creditLimit: null },
};

describe('the recipes of llms-full.txt', () => {
  test.each(PRICED_CALLS)('$call is valid and costs at most $credits', ({ call, credits }) => {
    const written = PLACES.reduce((text, [place, value]) => text.replace(place, value), call);
    const [path = '', query = ''] = written.split('?');
    const { endpoint, segments } = endpointOf(path);
    const parameters = new Map(
      query.split('&').map((pair) => pair.split(/=(.*)/) as [string, string]),
    );
    const reader = new ParameterReader(parameters, endpoint.accepts);
    const today = '2026-11-22';
    const context = {
      path: segments,
      today,
      principal: PRINCIPAL,
      cursors: createCursors(['x'.repeat(32)]),
    };
    const plan = endpoint.plan(endpoint.parse({ reader, ...context }), context);
    const { ceiling } = quote(endpoint.rate, priceOf(endpoint, plan).input);
    expect(parameters.has('quote') ? 0 : ceiling).toBe(credits);
  });
});

describe('the addresses of the pages about spreadsheets and warehouses', () => {
  const addresses = ['spreadsheet', 'warehouse'].flatMap((page) => {
    const file = new URL(`../../../../packages/portal/site/${page}.md`, import.meta.url);
    const text = readFileSync(file, 'utf8').replaceAll('KEY', '');
    return [...text.matchAll(/https:\/\/api\.vcds\.example\/v2(\/[^"\s]+\?[^"\s]+)/g)].map(
      ([, address = '']) => address,
    );
  });
  test.each(addresses)('%s is valid, and a table where it asks for one', (address) => {
    const { endpoint, planned, parameters } = planOf(address);
    if (parameters.has('$format')) expect(endpoint.table?.(planned).columns).not.toEqual([]);
  });
});

describe('the collection of Postman', () => {
  const { item: folders, variable } = postmanCollection();
  const requests = (folders as readonly Folder[]).flatMap(({ item }) => item);

  test('has every endpoint once, by the address of this service', () => {
    expect(variable[0]?.value).toBe('https://api.vcds.example/v2');
    const found = requests.map(
      ({ request: { url, body } }) => planOf(url.raw.slice(11), body).endpoint.path,
    );
    const described = endpoints.flatMap(({ text, path }) => (text ? [path] : []));
    expect(found.sort()).toEqual(described.sort());
  });

  test.each(requests.map(({ name, request }) => [name, request] as const))(
    '%s is valid, also by its parts, with every parameter of its endpoint',
    (_, { url: { raw, path, query }, body }) => {
      const sent = query.filter(({ disabled }) => !disabled);
      const parts = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
      const asked = planOf(`/${path.join('/')}?${parts.join('&')}`, body);
      expect(asked.planned).toEqual(planOf(raw.slice(11), body).planned);
      expect(query.map(({ key }) => key)).toEqual(asked.endpoint.accepts.map(({ name }) => name));
    },
  );
});

interface Body {
  readonly raw: string;
}

interface Folder {
  readonly item: readonly {
    readonly name: string;
    readonly request: {
      readonly body?: Body;
      readonly url: {
        readonly raw: string;
        readonly path: readonly string[];
        readonly query: readonly {
          readonly key: string;
          readonly value: string;
          readonly disabled: boolean;
        }[];
      };
    };
  }[];
}

/** The plan of a call below {base_url}. */
function planOf(address: string, body?: Body) {
  const { pathname, searchParams } = new URL(address, 'https://api.vcds.example');
  const { endpoint, segments } = endpointOf(pathname);
  const parameters = new Map([...searchParams].filter(([name]) => name !== 'token'));
  const reader = new ParameterReader(parameters, endpoint.accepts);
  const cursors = createCursors(['x'.repeat(32)]);
  const principal = { ...PRINCIPAL, plan: 'scale' } as const;
  const context = { path: segments, today: '2026-11-22', principal, cursors };
  const read = { reader, body: body && JSON.parse(body.raw) };
  const planned = endpoint.plan(endpoint.parse({ ...read, ...context }), context);
  return { endpoint, planned, parameters };
}

function endpointOf(path: string) {
  const asked = path.split('/');
  const found = endpoints
    .map((endpoint) => ({ endpoint, parts: endpoint.path.split('/') }))
    .filter(({ parts }) => parts.length === asked.length)
    .filter(({ parts }) => parts.every((part, i) => part.startsWith(':') || part === asked[i]))
    .sort((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length)[0];
  if (found === undefined) throw new Error(`${path} is not served.`);
  const { endpoint, parts } = found;
  const named = parts.flatMap((part, i) =>
    part.startsWith(':') ? [[part.slice(1), asked[i] ?? '']] : [],
  );
  return { endpoint, segments: Object.fromEntries(named) as Readonly<Record<string, string>> };
}
