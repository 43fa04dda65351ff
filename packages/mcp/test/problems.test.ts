import { expect, test } from '@jest/globals';
import { VcdsError } from '@vcds/client';
import { ArgumentError } from '../src/arguments.ts';
import { INTERNAL, problemOf } from '../src/problems.ts';

const BASE = { code: 'bad_filter', message: 'No.', status: 400 };
const see = (path: string) => `https://api.example/v2${path}`;

test.each<[string, object, object]>([
  [
    'list_records',
    { parameter: '$filter', suggestion: 'x' },
    { argument: 'filter', suggestion: 'x' },
  ],
  ['find_company', { parameter: 'q' }, { argument: 'name' }],
  ['find_matches', { parameter: 'startup' }, { argument: 'startup_id' }],
  ['find_matches', { parameter: 'country' }, { argument: 'country' }],
  ['count_by_category', { parameter: 'q' }, { argument: 'search' }],
  ['follow_changes', { parameter: 'minAmount' }, { argument: 'min_amount' }],
  ['recent_activity', { parameter: '$top' }, { argument: 'limit' }],
  ['list_records', { parameter: '$top' }, { argument: 'top' }],
  ['list_records', { parameter: 'path' }, { argument: 'narrow' }],
  ['follow_changes', { parameter: 'city' }, { argument: 'narrow.city' }],
  [
    'count_records',
    { parameter: 'value', see: see('/categories/city?q=x') },
    { argument: 'narrow' },
  ],
  [
    'get_record',
    { see: see('/categories/city?q=x') },
    { next_step: expect.stringMatching('"city"') },
  ],
  [
    'get_record',
    { see: see('/startups/search?q=x') },
    { next_step: expect.stringMatching('find_') },
  ],
  ['get_record', { see: see('/categories') }, { next_step: expect.stringMatching('dimensions') }],
  ['get_record', { see: see('') }, { next_step: expect.stringMatching('describe_data') }],
  ['get_record', { see: see('/pricing') }, { next_step: expect.stringMatching('check_balance') }],
  [
    'get_record',
    { requestId: 'r', retryAfterSeconds: 3 },
    { request_id: 'r', retry_after_seconds: 3 },
  ],
])('an error of %s with %j names what to change', (tool, details, expected) => {
  const { error } = problemOf(tool, new VcdsError({ ...BASE, ...details }));
  expect(error).toMatchObject({ ...BASE, ...expected });
});

test('an error keeps the remedies beside it', () => {
  const credits = { limit: 5, remaining: 0, required: 9, plan: 'free', reset: 'x' };
  const actions = [{ type: 'wait', until: 'x' }];
  const problem = problemOf('get_record', new VcdsError({ ...BASE, credits, actions }));
  expect(problem).toMatchObject({ credits, actions });
});

test.each([
  ['recent_activity', '$top', 'limit'],
  ['list_records', '$top', 'top'],
  ['get_record', 'X-Credits-Max', 'max_credits'],
])('a remedy of %s names its argument for %s', (tool, parameter, argument) => {
  const actions = [{ type: 'reduce_page_size', parameter, max: 5 }, { type: 'wait' }];
  expect(problemOf(tool, new VcdsError({ ...BASE, actions })).actions).toEqual([
    { type: 'reduce_page_size', parameter: argument, max: 5 },
    { type: 'wait' },
  ]);
});

test('an invalid argument has its own code, and a bug says nothing of itself', () => {
  expect(problemOf('x', new ArgumentError('No.', 'top', ['1']))).toEqual({
    error: { code: 'bad_argument', message: 'No.', argument: 'top', allowed: ['1'] },
  });
  expect(problemOf('x', new TypeError('secret'))).toBe(INTERNAL);
});
