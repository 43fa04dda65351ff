import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callsOf } from './calls.ts';
import { OPERATIONS } from './descriptions.ts';

const SAMPLES = 60;
const ID = '0b0e7c5e-5b0e-5c7e-9d8e-3f2f6f1c2a10';

test('generated requests cover every operation, parameter and field of a body', () => {
  expect(OPERATIONS.length).toBeGreaterThan(50);
  const missing = OPERATIONS.flatMap((operation) => {
    const calls = fc.sample(callsOf(operation, [ID]), { numRuns: SAMPLES, seed: 1 });
    const sent = calls.filter(({ method }) => method === operation.method);
    const has = {
      query: (name: string) => sent.some(({ url }) => namesOf(url).includes(name)),
      header: (name: string) => sent.some(({ headers }) => headers[name] !== undefined),
      path: (name: string) => sent.every(({ url }) => !url.includes(`{${name}}`)),
    };
    const parameters = operation.parameters.filter(
      (one) => !has[one.in as keyof typeof has](one.name),
    );
    const fields = Object.keys(operation.body?.properties ?? {}).filter(
      (name) => !sent.some(({ body }) => body.includes(JSON.stringify(name))),
    );
    const absent = [...parameters.map(({ name }) => name), ...fields];
    return (sent.length > 0 ? absent : ['no call']).map((name) => `${operation.name}: ${name}`);
  });
  expect(missing).toEqual([]);
});

function namesOf(url: string): string[] {
  const pairs = url.split('?')[1]?.split('&') ?? [];
  return pairs.map((pair) => pair.split('=')[0]?.replace('%24', '$') ?? '');
}
