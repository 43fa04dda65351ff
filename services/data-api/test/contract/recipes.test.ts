// Tests docs/spec/addresses.md 1.8.
import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@vcds/credentials';
import { quote } from '@vcds/metering';
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
