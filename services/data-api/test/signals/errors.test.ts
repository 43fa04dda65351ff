// Tests docs/spec/signals.md 9.2, 9.10.
// Tests docs/spec/credits.md 10.3, 10.8.
// Tests docs/spec/errors.md 11.2.
// Tests docs/spec/limits.md 12.1, 12.2.
import { describe, expect, test } from '@jest/globals';
import { parseSecrets } from '@vcds/credentials';
import { closedAfterAll, ROTATION, rotationPairs } from '@vcds/test-kit';
import { createCursors } from '../../src/serve/cursors.ts';
import { FEED_START } from '../../src/signals/cursor.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';
import type { SignalPage } from './support/feed.ts';
import { insertSignals } from './support/synthetic.ts';

const api = await closedAfterAll(openApi());
await insertSignals(api.sql, 300, 10);

const cursorOf = async (order: 'asc' | 'desc') =>
  ((await api.get('/signals', { order })).body as SignalPage).nextCursor;

describe('an invalid parameter is an error with its name, free of charge', () => {
  test.each([
    [{ types: 'round.recordd' }, 'unknown_signal_type', 'types'],
    [{ types: 'startup.added,constructor' }, 'unknown_signal_type', 'types'],
    [{ types: 'Startup.Added' }, 'unknown_signal_type', 'types'],
    [{ types: '' }, 'bad_parameter', 'types'],
    [{ types: 'startup.added,' }, 'bad_parameter', 'types'],
    [{ since: 'yesterday' }, 'bad_date', 'since'],
    [{ since: '2024-02-30' }, 'bad_date', 'since'],
    [{ until: '2024-01-01T25:00:00Z' }, 'bad_date', 'until'],
    [{ until: '2024-01-01T00:00:00 02:00' }, 'bad_date', 'until'],
    [{ occurredSince: '2024-13-01' }, 'bad_date', 'occurredSince'],
    [{ occurredUntil: '1704067200' }, 'bad_date', 'occurredUntil'],
    [{ since: '2024-01-02', until: '2024-01-01' }, 'bad_date', 'since'],
    [{ occurredSince: '2024-01-02', occurredUntil: '2024-01-01' }, 'bad_date', 'occurredSince'],
    [{ since: '2024-01-02', until: '2024-01-02T00:00:00Z' }, 'bad_date', 'until'],
    [{ occurredSince: '2024-01-02', occurredUntil: '2024-01-02' }, 'bad_date', 'occurredUntil'],
    [{ subject: 'acme' }, 'bad_parameter', 'subject'],
    [{ minAmount: '1.5' }, 'bad_parameter', 'minAmount'],
    [{ minAmount: '-1' }, 'bad_parameter', 'minAmount'],
    [{ minAmount: '9223372036854775808' }, 'bad_parameter', 'minAmount'],
    [{ order: 'up' }, 'bad_parameter', 'order'],
    [{ limit: '0' }, 'bad_parameter', 'limit'],
    [{ limit: '201' }, 'bad_parameter', 'limit'],
    [{ expand: 'subjects' }, 'bad_parameter', 'expand'],
    [{ $top: '5' }, 'unknown_parameter', '$top'],
    [{ type: 'startup.added' }, 'unknown_parameter', 'type'],
    [{ stage: 'Series Q' }, 'unknown_value', 'stage'],
    [{ country: 'Atlantis' }, 'unknown_value', 'country'],
    [{ since: '' }, 'bad_date', 'since'],
    [{ occurredUntil: ' ' }, 'bad_date', 'occurredUntil'],
    [{ cursor: '' }, 'bad_cursor', 'cursor'],
    [{ cursor: 'nonsense' }, 'bad_cursor', 'cursor'],
    [{ cursor: 'x'.repeat(5_000) }, 'bad_cursor', 'cursor'],
  ])('%j', async (query, code, parameter) => {
    const reply = await api.get('/signals', query as Record<string, string>);
    expect([reply.status, errorOf(reply).code, errorOf(reply).parameter]).toEqual([
      400,
      code,
      parameter,
    ]);
    expect(chargedOf(reply)).toBe(0);
  });

  test('the error of an unknown type has the nearest type and the address of the list', async () => {
    expect(errorOf(await api.get('/signals', { types: 'exit_recorded' }))).toMatchObject({
      suggestion: 'portfolio.exit_recorded',
    });
    expect(errorOf(await api.get('/signals', { types: 'round.recordd' }))).toMatchObject({
      suggestion: 'round.recorded',
      allowed: SIGNAL_TYPES.map(({ name }) => name),
      see: 'http://data.example/v2/signals/types',
    });
  });

  test('for more than 500 subjects', async () => {
    const subject = Array.from(
      { length: 501 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    ).join();
    expect(errorOf(await api.get('/signals', { subject }))).toMatchObject({
      code: 'bad_parameter',
      parameter: 'subject',
    });
  });

  test('for any parameter of /signals/types', async () => {
    expect(errorOf(await api.get('/signals/types', { limit: '1' }))).toMatchObject({
      code: 'unknown_parameter',
    });
  });
});

describe('cursors', () => {
  test('are rejected with any bit changed', async () => {
    const cursor = await cursorOf('asc');
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 5) {
      const tampered = Buffer.from(bytes);
      tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const reply = await api.get('/signals', {
        order: 'asc',
        cursor: tampered.toString('base64url'),
      });
      expect([bit, reply.status, errorOf(reply).code]).toEqual([bit, 400, 'bad_cursor']);
    }
    for (const like of [`${cursor}=`, `${cursor}A`, cursor.slice(1), ` ${cursor}`]) {
      const reply = await api.get('/signals', { order: 'asc', cursor: like });
      expect([like, errorOf(reply).code]).toEqual([like, 'bad_cursor']);
    }
    expect((await api.get('/signals', { order: 'asc', cursor })).status).toBe(200);
  });

  test('of the other order are rejected with the order to send', async () => {
    const cursor = await cursorOf('asc');
    for (const query of [{ cursor }, { cursor, order: 'desc' }]) {
      expect(errorOf(await api.get('/signals', query))).toMatchObject({
        code: 'bad_cursor',
        suggestion: 'order=asc',
      });
    }
    const other = await cursorOf('desc');
    const reply = await api.get('/signals', { cursor: other, order: 'asc' });
    expect(errorOf(reply).code).toBe('bad_cursor');
  });

  const AFTER = { occurredAtUs: -1n, detectedAtUs: 2n, seenUs: 3n };

  test.each(rotationPairs())('%s: those that %s encodes are valid for %s', (_step, a, b) => {
    const [writing, reading] = [createCursors(parseSecrets(a)), createCursors(parseSecrets(b))];
    const signals = writing.signals.encode({ detectedAtUs: 1n, position: 2n }, 'desc');
    const decoded = { order: 'desc', detectedAtUs: 1n, position: 2n };
    expect(reading.signals.decode(signals)).toEqual(decoded);
    expect(reading.activity.decode(writing.activity.encode(AFTER))).toEqual(AFTER);
  });

  test('of a secret that is dropped, or not yet added, are not valid', () => {
    const { old, fresh } = ROTATION;
    for (const [written, read] of [
      [[old], [fresh]],
      [[fresh, old], [old]],
      [[old, fresh], [fresh]],
    ] as const) {
      const [writing, reading] = [createCursors(written), createCursors(read)];
      expect(reading.signals.decode(writing.signals.encode(FEED_START, 'asc'))).toBeUndefined();
      expect(reading.activity.decode(writing.activity.encode(AFTER))).toBeUndefined();
    }
  });

  test('of a collection is decoded with every secret in use, and with no other', () => {
    const position = { keys: ['Ann', null, 'id'], seen: 12n };
    const old = createCursors(['old']).pages.encode(position, 'query');
    expect(createCursors(['new', 'old']).pages.decode(old, 'query')).toEqual(position);
    expect(createCursors(['new', 'old']).pages.decode(old, 'other')).toBe('other');
    expect(createCursors(['new']).pages.decode(old, 'query')).toBe('invalid');
  });
});

describe('price', () => {
  const price = async (query: Record<string, string>) =>
    chargedOf(await api.get('/signals', query));

  test('the check values of the rate card', async () => {
    expect(await price({ limit: '50', expand: 'subject,object' })).toBe(19);
    expect(await price({ limit: '50', expand: 'object,subject,object' })).toBe(19);
    expect(await price({})).toBe(13);
    expect(await price({ limit: '200', expand: 'subject' })).toBe(63);
  });

  test('an empty page costs one credit', async () => {
    expect(await price({ until: '2020-01-01' })).toBe(1);
  });

  test('a key without the scope is rejected', async () => {
    const narrowed = await openApi({ principal: { scopes: new Set(['companies'] as const) } });
    for (const path of ['/signals', '/signals/types']) {
      const reply = await narrowed.get(path);
      expect([reply.status, errorOf(reply).code]).toEqual([403, 'not_entitled']);
    }
    await narrowed.close();
  });

  test('exhausted credits suggest a lower limit', async () => {
    const free = await openApi({ principal: { plan: 'free' } });
    await insertSignals(free.sql, 250, 5);
    const query = { limit: '200', expand: 'subject,object' };
    let reply = await free.get('/signals', query);
    for (let n = 0; n < 8 && reply.status === 200; n++) reply = await free.get('/signals', query);
    expect(reply.status).toBe(429);
    expect(reply.body).toMatchObject({
      error: { code: 'credits_exhausted' },
      actions: expect.arrayContaining([
        { type: 'reduce_page_size', parameter: 'limit', max: expect.any(Number) },
      ]),
    });
    await free.close();
  });
});
