import { beforeEach, expect, test } from '@jest/globals';
import { type Answer, type AnswerChecker, openAnswerChecker } from '../src/answers/check.ts';

const ERROR = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'string' } },
  additionalProperties: false,
};
const DOCUMENT = {
  info: { title: 'Things' },
  servers: [{ url: 'https://api.vcds.example/v2' }],
  paths: {
    '/things/{id}': {
      get: {
        parameters: [{ name: 'fields', in: 'query' }],
        responses: {
          200: {
            headers: { 'X-Content-Type-Options': {}, 'X-Cost': { required: true } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          404: {
            headers: { 'X-Content-Type-Options': {} },
            content: {
              'application/json': {
                schema: { properties: { error: { $ref: '#/components/schemas/Error' } } },
              },
            },
            'x-error-codes': ['not_found'],
          },
        },
      },
    },
    '/things/search': { get: { responses: { 200: {} } } },
    '/': {
      servers: [{ url: 'https://access.vcds.example' }],
      get: { responses: { 204: { headers: { 'X-Content-Type-Options': {} } } } },
    },
    '/token': {
      servers: [{ url: 'https://access.vcds.example' }],
      post: { responses: { 204: { headers: { 'X-Content-Type-Options': {} } } } },
    },
  },
  components: {
    schemas: {
      Error: ERROR,
      Thing: {
        type: 'object',
        required: ['Id'],
        properties: { Id: { type: 'string' }, Year: { type: 'integer', nullable: true } },
        additionalProperties: false,
      },
    },
  },
};

const ANSWER: Answer = {
  test: 'services/data-api/test/things.test.ts',
  method: 'GET',
  url: '/v2/things/1?fields=Id',
  status: 200,
  headers: {
    'x-content-type-options': 'nosniff',
    'x-cost': 1,
    'content-type': 'application/json; charset=utf-8',
  },
  body: '{"Id":"1","Year":null}',
};
const ROOT = { status: 204, headers: { 'x-content-type-options': 'nosniff' }, body: '' };
const NOT_FOUND: Partial<Answer> = {
  status: 404,
  headers: { 'x-content-type-options': 'nosniff', 'content-type': 'application/json' },
  body: '{"error":{"code":"not_found"}}',
};

let checker: AnswerChecker;
beforeEach(() => {
  checker = openAnswerChecker([DOCUMENT]);
});

const check = (difference: Partial<Answer> = {}) => checker.check({ ...ANSWER, ...difference });

test.each<[string, Partial<Answer>]>([
  ['a record', {}],
  ['an error', NOT_FOUND],
  ['a path of another server', { method: 'POST', url: '/token', status: 204, body: '' }],
  ['the root with a slash at its end', { ...ROOT, url: '//' }],
  ['an unknown path with an error', { ...NOT_FOUND, url: '/v2/nothing' }],
  ['a page', { url: '/account/keys', body: '<p>' }],
  ['a server of a test', { headers: {}, url: '/v3/mail/send' }],
])('accepts %s', (_, difference) => {
  const headers =
    difference.url === '/token' ? { headers: { 'x-content-type-options': 'nosniff' } } : {};
  expect(check({ ...difference, ...headers })).toBeUndefined();
});

test.each<[string, Partial<Answer>]>([
  ['data must NOT have additional properties', { body: '{"Id":"1","Secret":true}' }],
  ["data must have required property 'Id'", { body: '{}' }],
  ['data/Year must be integer', { body: '{"Id":"1","Year":"1999"}' }],
  ['header x-new is not described', { headers: { ...ANSWER.headers, 'x-new': 1 } }],
  ['header x-cost is missing', { headers: { 'x-content-type-options': 'nosniff' } }],
  ['parameter new is not described', { url: '/v2/things/1?new=1' }],
  ['status 202 is not described', { status: 202 }],
  ['code gone is not described', { ...NOT_FOUND, body: '{"error":{"code":"gone"}}' }],
  ['content type text/html is not described', htmlBody()],
  ['is not described', { url: '/v2/others' }],
  ['is not described', { ...ROOT, url: '///' }],
  ['parameter new is not described', { ...ROOT, url: '//?new=1' }],
  ['is not described', { method: 'DELETE' }],
  [
    'data/error must NOT have additional properties',
    { ...NOT_FOUND, url: '/v2/nothing', body: '{"error":{"code":"a","stack":"b"}}' },
  ],
])('reports: %s', (fault, difference) => {
  expect(check(difference)).toMatch(new RegExp(`: ${fault}$`));
});

test('lists what no response has shown', () => {
  check();
  check({ url: '/v2/nothing', ...NOT_FOUND });
  expect(checker.missing()).toEqual([
    'GET /v2/things/search 200',
    'GET / 204',
    'POST /token 204',
    'Things: not_found',
  ]);
  check(NOT_FOUND);
  expect(checker.missing()).toHaveLength(3);
});

function htmlBody(): Partial<Answer> {
  return { headers: { ...ANSWER.headers, 'content-type': 'text/html' }, body: '<p>' };
}
