// Tests docs/spec/assistants.md 18.5.
import { expect, test } from '@jest/globals';
import { VcdsError } from '@vcds/client';
import { ArgumentError } from '../src/arguments.ts';
import { argumentOf, INTERNAL, problemOf } from '../src/problems.ts';
import { TOOLS } from '../src/tools/index.ts';
import { toolOf } from './tool-of.ts';

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
  ['count_by_category', { parameter: 'dimension' }, { argument: 'dimensions' }],
  ['read_site', { parameter: 'q' }, { argument: 'name' }],
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
  ['get_record', { see: see('/categories/city?q=x') }, { see: expect.stringMatching('"city"') }],
  ['get_record', { see: see('/startups/search?q=x') }, { see: expect.stringMatching('find_') }],
  ['get_record', { see: see('/categories') }, { see: expect.stringMatching('dimensions') }],
  ['get_record', { see: see('') }, { see: expect.stringMatching('describe_data') }],
  ['get_record', { see: see('/pricing') }, { see: expect.stringMatching('check_balance') }],
  [
    'get_record',
    { requestId: 'r', retryAfterSeconds: 3 },
    { request_id: 'r', retry_after_seconds: 3 },
  ],
])('an error of %s with %j names what to change', (tool, details, expected) => {
  const { error } = problemOf(toolOf(tool), new VcdsError({ ...BASE, ...details }));
  expect(error).toMatchObject({ ...BASE, ...expected });
});

test.each([
  ['list_records', 'Parameter $top must be an integer.', 'Argument top must be an integer.'],
  [
    'list_records',
    'Use $top=500, which is always allowed, and follow the Link header.',
    'Use top 500, which is always allowed, and continue with next_cursor.',
  ],
  [
    'list_records',
    'Invalid $skiptoken. Follow the Link header of a page unchanged, or start without it.',
    'Invalid cursor. Continue with next_cursor, or start without it.',
  ],
  ['recent_activity', 'Send $top or not.', 'Send limit or not.'],
  [
    'find_company',
    'This call can cost up to 9 credits, more than the 5 of X-Credits-Max. It did not run.',
    'This call can cost up to 9 credits, more than the 5 of max_credits. It did not run.',
  ],
  [
    'follow_changes',
    'Send YYYY-MM-DD, or more; write the + of an offset as %2B.',
    'Send YYYY-MM-DD, or more.',
  ],
  [
    'get_record',
    "Unknown field '$a%99'. Names have no $.",
    "Unknown field '$a%99'. Names have no $.",
  ],
])('a message about a call of %s is in the words of the tools: %s', (tool, message, words) => {
  const thrown = new VcdsError({ ...BASE, message, value: '$a%99' });
  expect(problemOf(toolOf(tool), thrown)).toMatchObject({ error: { message: words } });
});

test('an error names the pages for a person beside it', () => {
  const url = 'https://access.example/account';
  const problem = problemOf(toolOf('get_record'), new VcdsError({ ...BASE, see: url }));
  expect(problem).toMatchObject({ actions: [{ type: 'get_key', url }] });
  expect(JSON.stringify(problem.error)).not.toContain('https');
});

test('an error keeps the remedies beside it', () => {
  const credits = { limit: 5, remaining: 0, required: 9, plan: 'free', reset: 'x' };
  const actions = [{ type: 'wait', until: 'x' }];
  const problem = problemOf(toolOf('get_record'), new VcdsError({ ...BASE, credits, actions }));
  expect(problem).toMatchObject({ credits, actions });
});

test.each([
  ['recent_activity', '$top', 'limit'],
  ['list_records', '$top', 'top'],
  ['get_record', 'X-Credits-Max', 'max_credits'],
])('a remedy of %s names its argument for %s', (tool, parameter, argument) => {
  const actions = [{ type: 'reduce_page_size', parameter, max: 5 }, { type: 'wait' }];
  expect(problemOf(toolOf(tool), new VcdsError({ ...BASE, actions })).actions).toEqual([
    { type: 'reduce_page_size', parameter: argument, max: 5 },
    { type: 'wait' },
  ]);
});

test('an invalid argument has its own code, and a bug says nothing of itself', () => {
  expect(problemOf(toolOf('get_record'), new ArgumentError('No.', 'top', ['1']))).toEqual({
    error: { code: 'bad_argument', message: 'No.', argument: 'top', allowed: ['1'] },
  });
  expect(problemOf(toolOf('get_record'), new TypeError('secret'))).toBe(INTERNAL);
});

const ID = '0b8f8c2e-8c34-4d5e-9d6b-0c3c7b6f5a11';
const NARROW = { narrow: { country: 'France', city: 'Paris' } };
const PAGE = { filter: 'Amount gt 5', startup_id: ID, ...NARROW };
const WINDOW = { subject_ids: [ID], since: '2020-01-01', until: '2021-01-01', ...NARROW };
const LIST = { orderby: 'Date', select: 'Id', expand: 'Investors', top: 5, cursor: '5~' };

test.each<[string, object]>([
  ['find_company', { name: 'Acme', website: 'acme.example', type: 'any', top: 3 }],
  ['get_record', { collection: 'startups', id: ID, select: 'Id', expand: 'Funds' }],
  ['list_records', { collection: 'rounds', ...PAGE, ...LIST }],
  ['list_records', { collection: 'rounds', ...PAGE, ...LIST, cursor: '5~c' }],
  ['list_records', { collection: 'rounds', narrow: { country: 'France' } }],
  ['count_records', { collection: 'rounds', ...PAGE }],
  ['count_by_category', { entity: 'startups', dimensions: ['city'], ...NARROW, search: 'p' }],
  ['count_by_category', { entity: 'startups', dimensions: ['city', 'region'], top: 5 }],
  [
    'follow_changes',
    {
      ...{ types: ['round.recorded'], ...WINDOW, min_amount: 5, order: 'asc', cursor: 'c' },
      ...{ occurred_since: '2020-01-01', occurred_until: '2021-01-01', limit: 5, names: true },
    },
  ],
  ['recent_activity', { types: ['round.recorded'], ...WINDOW, cursor: '5~', limit: 5 }],
  ['read_site', { website: 'acme.example' }],
  ['read_site', { name: 'Acme' }],
  ['find_matches', { startup_id: ID, tags: ['a'], country: 'a', stage: 'Seed', amount: 5, top: 3 }],
  ['find_matches', { fund_id: ID }],
])('each parameter of a call of %s is that of an argument: %j', (name, args) => {
  const tool = toolOf(name);
  const { parameters = {} } = tool.call?.({ ...args }) ?? {};
  const { $count, ...sent } = parameters;
  const given = Object.keys(sent).filter((each) => sent[each] !== undefined);
  const named = given.map((parameter) => argumentOf(tool, parameter).split('.')[0]);
  expect(Object.keys(tool.input.properties ?? {})).toEqual(expect.arrayContaining(named));
});

test.each(TOOLS)('$name has each argument that stands for a parameter', (tool) => {
  const { argumentNames = {}, input } = tool;
  expect(Object.keys(input.properties ?? {})).toEqual(
    expect.arrayContaining(Object.values(argumentNames)),
  );
});

test('an error of a quote names the argument of the quoted tool', () => {
  const quoted = TOOLS.find(({ name }) => name === 'price_of_call')?.quoted;
  expect(quoted?.({ tool: 'recent_activity' })).toBe(toolOf('recent_activity'));
  expect(quoted?.({ tool: 'unknown' })).toBeUndefined();
});
