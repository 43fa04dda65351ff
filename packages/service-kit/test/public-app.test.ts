// Tests docs/spec/addresses.md 1.2, 1.3, 1.5.
// Tests docs/spec/errors.md 11.4.
// Tests docs/spec/limits.md 12.3.
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { fixtureApp } from './fixture-app.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('routing', () => {
  const { app } = fixtureApp();

  test('a fixed segment precedes a parameter in any order of the table', async () => {
    expect((await request(app).get('/v2/things/search?a=1')).body).toEqual({ a: '1' });
    expect((await request(app).get('/v2/things/7')).body).toEqual({ id: '7' });
  });

  test('an unknown path is 404 unknown_path with a suggested path', async () => {
    const answer = await request(app).get('/v2/thing/search?token=abc');
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      code: 'unknown_path',
      value: '/v2/thing/search',
      suggestion: '/v2/things/search',
    });
    expect(answer.text).not.toContain('token');
  });

  test('a path with a wildcard is not suggested', async () => {
    expect((await request(app).get('/gone/x')).body).toEqual({});
    const answer = await request(app).get('/gon/rest');
    expect(answer.body.error).not.toHaveProperty('suggestion');
  });

  test('paths are case-sensitive', async () => {
    expect((await request(app).get('/V2/things/search')).status).toBe(404);
  });

  test.each(['post', 'put', 'patch', 'delete'] as const)(
    '%s on a path for GET is 405 with Allow',
    async (method) => {
      const answer = await request(app)[method]('/v2/things/search');
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
      expect(answer.body.error.code).toBe('method_not_allowed');
    },
  );

  test('HEAD is GET without the body', async () => {
    const [get, head] = await Promise.all(
      (['get', 'head'] as const).map((method) => request(app)[method]('/v2/things/search')),
    );
    const sameOf = (answer = get) => [answer?.status, answer?.headers['content-length']];
    expect(sameOf(head)).toEqual(sameOf(get));
    expect([head?.status, head?.text ?? '']).toEqual([200, '']);
    expect((await request(app).head('/v2/echo')).status).toBe(405);
  });

  test('GET on a path for POST is 405', async () => {
    const answer = await request(app).get('/v2/echo');
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, OPTIONS');
  });

  test.each([
    ['invalid percent-encoding', '/v2/things/%E0%A4'],
    ['a NUL character', '/v2/things/a%00b'],
  ])('%s in a path is 400 bad_parameter', async (_what, path) => {
    const answer = await request(app).get(path);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('bad_parameter');
  });

  test('a page supports HEAD and has no CORS headers', async () => {
    const head = await request(app).head('/page');
    expect(head.status).toBe(200);
    const page = await request(app).get('/page');
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
    expect((await request(app).post('/page')).headers.allow).toBe('GET, HEAD');
  });
});

describe('request ids', () => {
  const { app } = fixtureApp();

  test('every response has one, a UUID by default, which is the trace id of an error', async () => {
    const answer = await request(app).get('/v2/nothing');
    expect(answer.headers['x-request-id']).toMatch(UUID);
    expect(answer.body.error.trace_id).toBe(answer.headers['x-request-id']);
    expect((await request(app).options('/v2/echo')).headers['x-request-id']).toMatch(UUID);
  });

  test('one of 8 to 64 letters, digits and - is kept', async () => {
    const sent = 'order-4711-retry-2';
    const answer = await request(app).get('/v2/nothing').set('X-Request-Id', sent);
    expect(answer.headers['x-request-id']).toBe(sent);
    expect(answer.body.error.trace_id).toBe(sent);
  });

  test.each([
    'short',
    'x'.repeat(65),
    'has space in it',
    `pk_live_${'a'.repeat(49)}`,
    'eyJh.eyJz.sig',
  ])('any other is replaced: %s', async (sent) => {
    const answer = await request(app).get('/v2/nothing').set('X-Request-Id', sent);
    expect(answer.headers['x-request-id']).toMatch(UUID);
  });
});

describe('compression', () => {
  const { app } = fixtureApp();

  test.each(['br', 'gzip'])('%s from 1 KiB on', async (encoding) => {
    const large = await request(app).get('/v2/big?bytes=1024').set('Accept-Encoding', encoding);
    expect(large.headers['content-encoding']).toBe(encoding);
    expect(large.headers.vary).toContain('Accept-Encoding');
    expect(large.headers['content-type']).toBe('application/json');
    const small = await request(app).get('/v2/big?bytes=1023').set('Accept-Encoding', encoding);
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(small.headers['content-length']).toBe('1023');
  });

  test('a compressed response is complete', async () => {
    const answer = await request(app).get('/v2/big?bytes=100000').set('Accept-Encoding', 'gzip');
    expect(answer.body).toBe('x'.repeat(99_998));
  });

  test('none if the client does not accept it', async () => {
    const answer = await request(app).get('/v2/big').set('Accept-Encoding', 'identity');
    expect(answer.headers['content-encoding']).toBeUndefined();
  });
});

describe('HTTPS', () => {
  test('plain HTTP is rejected if HTTPS is required, never redirected', async () => {
    const { app } = fixtureApp({ requireHttps: true, trustProxy: 'loopback' });
    const answer = await request(app).get('/v2/things/1').set('X-Forwarded-Proto', 'http');
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe('https_required');
    expect(answer.headers.location).toBeUndefined();
    expect((await request(app).get('/v2/nothing')).status).toBe(403);
  });

  test('a call over HTTPS to a trusted proxy succeeds, with Strict-Transport-Security', async () => {
    const { app } = fixtureApp({ requireHttps: true, trustProxy: '1' });
    const answer = await request(app).get('/v2/things/1').set('X-Forwarded-Proto', 'https');
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toContain('max-age=');
  });

  test.each([
    // The proxy appends the actual protocol to the caller's header.
    ['1', 'https, http', '198.51.100.7', 403],
    ['1', 'http, https', '198.51.100.7', 200],
    ['1', 'HTTPS', '198.51.100.7', 200],
    // Two proxies: the outer one received the call over HTTPS and forwarded it over HTTP.
    ['2', 'https, http', '198.51.100.7, 10.0.0.1', 200],
    ['2', 'https, http, http', '203.0.113.9, 198.51.100.7, 10.0.0.1', 403],
    ['loopback, 10.0.0.0/8', 'https, http', '198.51.100.7, 10.0.0.1', 200],
    ['loopback, 10.0.0.0/8', 'https, http', '203.0.113.9, 198.51.100.7', 403],
    ['loopback', 'https', undefined, 200],
  ])('TRUST_PROXY=%s, protocol %j, addresses %s: %i', async (...row) => {
    const [trustProxy, proto, forwardedFor, status] = row;
    const { app } = fixtureApp({ requireHttps: true, trustProxy });
    const call = request(app).get('/v2/things/1').set('X-Forwarded-Proto', proto);
    if (forwardedFor !== undefined) call.set('X-Forwarded-For', forwardedFor);
    expect((await call).status).toBe(status);
  });

  test('composes the text of a path and of a JSON body to NFC', async () => {
    const { app } = fixtureApp();
    const path = await request(app).get(`/v2/things/${encodeURIComponent('Zu\u0308rich')}`);
    expect(path.body).toEqual({ id: 'Z\u00fcrich' });
    const body = await request(app)
      .post('/v2/echo')
      .send({ list: ['e\u0301', { text: 'A\u030a \uff21' }] });
    expect(body.body).toEqual({ body: { list: ['\u00e9', { text: '\u00c5 \uff21' }] } });
  });

  test('X-Forwarded-Proto of an untrusted proxy is ignored', async () => {
    for (const trustProxy of [undefined, '10.0.0.0/8']) {
      const { app } = fixtureApp({ requireHttps: true, trustProxy });
      const answer = await request(app).get('/v2/things/1').set('X-Forwarded-Proto', 'https');
      expect(answer.status).toBe(403);
    }
  });
});

describe('errors', () => {
  test('a bug is 500 without details; the log has them, with the key redacted', async () => {
    const { app, text } = fixtureApp();
    const answer = await request(app).get('/v2/bug');
    expect(answer.status).toBe(500);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['retry-after']).toBe('30');
    expect(answer.body.error.code).toBe('internal_error');
    expect(answer.text).not.toMatch(/venture|pk_live|at /);
    expect(text()).toContain('no relation');
    expect(text()).not.toContain('QQQQ');
  });

  test('keep the headers of the credits, not those of the replaced body', async () => {
    const { app } = fixtureApp();
    const { headers, body } = await request(app).get('/v2/known');
    expect(headers['x-credits-charged']).toBe('0');
    expect(headers['retry-after']).toBe('30');
    expect([headers.link, headers['x-link-omitted']]).toEqual([undefined, undefined]);
    expect(body.error.code).toBe('unavailable');
  });

  test('an error within a response closes the connection', async () => {
    const { app, text } = fixtureApp();
    await expect(request(app).get('/v2/half')).rejects.toThrow();
    expect(text()).toContain('too late');
  });

  test('no response names the software or has an ETag', async () => {
    const { app } = fixtureApp();
    const { headers } = await request(app).get('/v2/things/1');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
  });

  test.each([
    ['GET', '/v2/things/1', 200],
    ['GET', '/v2/nothing', 404],
    ['POST', '/v2/things/1', 405],
    ['GET', '/v2/bug', 500],
    ['OPTIONS', '/v2/things/1', 204],
  ] as const)(
    '%s %s has the headers of the OWASP cheat sheet for REST',
    async (method, path, status) => {
      const { app } = fixtureApp({ requireHttps: true, trustProxy: 'loopback' });
      const client = request(app);
      const call = {
        GET: client.get(path),
        POST: client.post(path),
        OPTIONS: client.options(path),
      };
      const answer = await call[method].set('X-Forwarded-Proto', 'https');
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    },
  );
});

describe('request bodies', () => {
  const { app } = fixtureApp();
  const post = (body: string, type = 'application/json') =>
    request(app).post('/v2/echo').set('Content-Type', type).send(body);

  test('JSON is parsed', async () => {
    const answer = await post('{"a":["ü"]}', 'application/json; charset=utf-8');
    expect(answer.body).toEqual({ body: { a: ['ü'] } });
  });

  test.each([
    ['415', 'another type', 'a=1', 'application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['415', 'another charset', '{}', 'application/json; charset=latin1', 'unsupported_media_type'],
    ['400', 'invalid JSON', '{"a":', 'application/json', 'bad_json'],
    ['400', 'an empty body', '', 'application/json', 'bad_json'],
    ['413', 'a large body', `"${'x'.repeat(16_384)}"`, 'application/json', 'body_too_large'],
    ['400', '1,001 elements', `[${'0,'.repeat(1_000)}0]`, 'application/json', 'bad_json'],
    ['400', '1,001 members', `{${'"a":{},'.repeat(500)}"a":0}`, 'application/json', 'bad_json'],
    ['400', '33 levels', `${'[{"a":'.repeat(17)}`, 'application/json', 'bad_json'],
  ])('%s for %s', async (status, _what, body, type, code) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(Number(status));
    expect(answer.body.error.code).toBe(code);
  });

  test('has 1,000 elements and 32 levels, and any signs in a text', async () => {
    const deep = `${'['.repeat(32)}${']'.repeat(32)}`;
    const text = JSON.stringify('{[,\\"'.repeat(1_000));
    for (const body of [`[${'0,'.repeat(999)}0]`, deep, text]) {
      expect((await post(body)).body).toEqual({ body: JSON.parse(body) });
    }
  });

  test('413 for a large body without a length', async () => {
    const call = request(app)
      .post('/v2/echo')
      .set('Content-Type', 'application/json')
      .set('Transfer-Encoding', 'chunked');
    call.write('"'.padEnd(10_000, 'x'));
    call.write(''.padEnd(10_000, 'x'));
    const answer = await call;
    expect(answer.status).toBe(413);
  });

  test('415 for a compressed body', async () => {
    const answer = await post('{}').set('Content-Encoding', 'gzip');
    expect(answer.status).toBe(415);
  });
});
