// Tests docs/spec/addresses.md 1.3.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { fixtureApp } from './fixture-app.ts';

describe('CORS', () => {
  const { app } = fixtureApp();

  test('OPTIONS needs no key and lists the methods of the path', async () => {
    const answer = await request(app)
      .options('/v2/echo')
      .set('Origin', 'https://app.example.com')
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', 'x-api-key, x-credits-max');
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers['access-control-allow-methods']).toBe('POST, OPTIONS');
    expect(answer.headers['access-control-allow-headers']).toMatch(/X-Api-Key.*X-Credits-Max/);
    expect(answer.headers['access-control-max-age']).toBe('86400');
  });

  test('a preflight of an unknown path succeeds, so that browsers receive the error', async () => {
    const asking = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' };
    const answer = await request(app).options('/v2/nothing').set(asking);
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toContain('X-Api-Key');
    const called = await request(app).get('/v2/nothing').set('Origin', asking.Origin);
    expect(called.headers['access-control-allow-origin']).toBe('*');
    expect(called.body.error.code).toBe('unknown_path');
    expect((await request(app).options('/v2/nothing')).status).toBe(404);
  });

  test.each(['/v2/things/1', '/v2/nothing', '/v2/bug'])(
    '%s: any origin, no cookies, exposed metering headers',
    async (path) => {
      const { headers } = await request(app).get(path).set('Origin', 'https://app.example.com');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  test('scripts may read and send the headers of the specification, and no others', async () => {
    const page = new URL('../../../docs/spec/addresses.md', import.meta.url);
    const [, read = '', sent = ''] =
      /^Scripts of any origin([\s\S]*?)They can send([\s\S]*?)\.\s+The account/m.exec(
        await readFile(page, 'utf8'),
      ) ?? [];
    const namesIn = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    const { headers } = await request(app)
      .options('/v2/echo')
      .set({ Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' });
    expect(headers['access-control-allow-headers']?.split(', ')).toEqual(namesIn(sent));
    const answer = await request(app).get('/v2/things/1');
    expect(answer.headers['access-control-expose-headers']?.split(', ')).toEqual(namesIn(read));
  });
});
