// Tests docs/spec/credits.md 10.5, 10.8, 10.12, 10.13.
import { describe, expect, test } from '@jest/globals';
import {
  aboveLimitBody,
  aboveLimitMessage,
  creditHeaders,
  exhaustedBody,
  exhaustedMessage,
  keyLimitMessage,
  quote,
  quoteBody,
  rateFor,
} from '@vcds/metering';

const resetAt = new Date('2026-11-01T00:00:00Z');
const exhaustion = {
  entry: rateFor('/startups'),
  required: 100,
  expands: 0,
  countOnly: false,
  plan: 'free',
  limit: 500,
  remaining: 40,
  resetAt,
  key: null,
  url: 'http://127.0.0.1:8081/account/credits',
} as const;

describe('the headers of an answer', () => {
  test('say what was charged and what remains, and the reset in unix seconds', () => {
    expect(creditHeaders({ charged: 13, limit: 500, remaining: 487, resetAt })).toEqual({
      'X-Credits-Charged': '13',
      'X-RateLimit-Limit': '500',
      'X-RateLimit-Remaining': '487',
      'X-RateLimit-Reset': '1793491200',
    });
  });

  test('have no remaining credits while these are not known', () => {
    const headers = creditHeaders({ charged: 0, limit: 500, remaining: undefined, resetAt });
    expect(Object.keys(headers)).toEqual([
      ...['X-Credits-Charged', 'X-RateLimit-Limit', 'X-RateLimit-Reset'],
    ]);
  });
});

test.each([
  [2, 1, 'This call can cost up to 2 credits, but 1 credit remains.'],
  [1, 0, 'This call can cost up to 1 credit, but 0 credits remain.'],
])(
  'of %d required and %d remaining credits the message has the number',
  (required, remaining, text) => {
    expect(exhaustedMessage({ ...exhaustion, required, remaining })).toBe(
      `${text} Retry after the reset, or when the account has more credits.`,
    );
  },
);

describe('the body of credits_exhausted', () => {
  test('has the balance, what the call needed, and three ways out', () => {
    expect(exhaustedBody(exhaustion)).toEqual({
      credits: {
        limit: 500,
        remaining: 40,
        required: 100,
        plan: 'free',
        reset: '2026-11-01T00:00:00.000Z',
      },
      actions: [
        { type: 'purchase_credits', url: 'http://127.0.0.1:8081/account/credits' },
        { type: 'reduce_page_size', parameter: '$top', max: 40 },
        { type: 'wait', until: '2026-11-01T00:00:00.000Z' },
      ],
    });
    expect(exhaustedMessage(exhaustion)).toContain('up to 100 credits, but 40 credits remain.');
  });

  test('of a key with a limit has its credits, and the page that account and key can pay', () => {
    const key = { limit: 50, remaining: 12, used: 38, held: 0 };
    const body = exhaustedBody({ ...exhaustion, remaining: 200, key }, 'raise_key_limit');
    expect(body.credits).toMatchObject({ remaining: 200, key: { limit: 50, remaining: 12 } });
    expect(body.actions[0]).toMatchObject({ type: 'raise_key_limit' });
    expect(body.actions[1]).toMatchObject({ max: 12 });
    expect(exhaustedBody({ ...exhaustion, remaining: 7, key }).actions[1]).toMatchObject({
      max: 7,
    });
    expect(keyLimitMessage({ ...exhaustion, key })).toContain(
      '12 credits remain of the 50 credits',
    );
  });

  test('names the parameter of the call itself, and is left out where no size is affordable', () => {
    const entry = rateFor('/signals');
    const reduce = (remaining: number, expands: number) =>
      exhaustedBody({ ...exhaustion, entry, remaining, expands, required: 19 }).actions[1];
    expect(reduce(13, 2)).toEqual({ type: 'reduce_page_size', parameter: 'limit', max: 34 });
    expect(reduce(0, 0)).toMatchObject({ type: 'wait' });
    const oneWithTags = { ...exhaustion, remaining: 1, expands: 1, required: 2 };
    expect(exhaustedBody(oneWithTags).actions[1]).toMatchObject({ type: 'wait' });
  });

  test.each([
    ['a search', { entry: rateFor('/startups/search') }],
    ['a live look-up', { entry: rateFor('/find') }],
    ['a total', { countOnly: true }],
    ['a single record', { entry: rateFor('/startups/{id}') }],
  ])('does not offer a smaller page for %s', (_, change) => {
    const types = exhaustedBody({ ...exhaustion, ...change }).actions.map(({ type }) => type);
    expect(types).toEqual(['purchase_credits', 'wait']);
  });
});

describe('the body of a quote and of price_above_limit', () => {
  const rate = rateFor('/signals');
  const input = { ceilingRecords: 50, expands: 2, countOnly: false };
  const above = { rate, input, quote: quote(rate, input), limit: 13 };
  const body = {
    credits_max: 19,
    credits_min: 1,
    base: 0,
    per_record: 0.25,
    expands: 2,
    records_max: 50,
  };

  test('has the numbers of the formula, and the largest page within the limit', () => {
    expect(quoteBody(above.quote)).toEqual(body);
    expect(aboveLimitBody(above)).toEqual({
      quote: body,
      actions: [
        { type: 'reduce_page_size', parameter: 'limit', max: 34 },
        { type: 'raise_limit', parameter: 'X-Credits-Max', min: 19 },
      ],
    });
    expect(aboveLimitMessage(above)).toMatch(/up to 19 credits, more than the 13 credits/);
  });

  test.each([
    ['no record is within the limit', { limit: 0 }],
    ['the price is flat', { rate: rateFor('/find') }],
    ['the call counts', { input: { ...input, countOnly: true } }],
  ])('offers no smaller page if %s', (_, change) => {
    const types = aboveLimitBody({ ...above, ...change }).actions.map(({ type }) => type);
    expect(types).toEqual(['raise_limit']);
  });
});
