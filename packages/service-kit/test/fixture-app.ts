import {
  ApiError,
  contextOf,
  createLogger,
  createMetrics,
  createPublicApp,
  type EdgeSettings,
  type Route,
  readJsonBody,
  readParameters,
  sendJson,
} from '../src/index.ts';

/** An app with a route of every kind, or with `routes`, and its log lines. */
export function fixtureApp(settings: Partial<EdgeSettings> = {}, routes?: readonly Route[]) {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'fixture',
    sink: { write: (line) => void lines.push(line) },
  });
  const metrics = createMetrics('fixture');
  const app = createPublicApp({
    logger,
    metrics,
    settings: { requireHttps: false, trustProxy: undefined, ...settings },
    routes: routes ?? ROUTES,
  });
  return { app, metrics, lines, text: () => lines.join('') };
}

const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v2/things/:id',
    handler: (request, response) => sendJson(response, 200, { id: request.params.id }),
  },
  {
    method: 'GET',
    path: '/v2/things/search',
    handler: (request, response) => {
      sendJson(response, 200, Object.fromEntries(readParameters(request)));
    },
  },
  {
    method: 'GET',
    path: '/v2/big',
    handler: (request, response) => {
      const bytes = Number(readParameters(request).get('bytes') ?? 2_000);
      sendJson(response, 200, JSON.stringify('x'.repeat(bytes - 2)));
    },
  },
  {
    method: 'POST',
    path: '/v2/echo',
    handler: async (request, response) => {
      sendJson(response, 200, { body: await readJsonBody(request) });
    },
  },
  {
    method: 'GET',
    path: '/v2/known',
    handler: (request, response) => {
      contextOf(request).caller = { accountId: 'account-1', keyId: 'key-1' };
      response.setHeader('Link', '<x>; rel="next"');
      response.setHeader('X-Link-Omitted', 'next');
      response.setHeader('X-Credits-Charged', '0');
      throw new ApiError('unavailable', 'Later.');
    },
  },
  {
    method: 'GET',
    path: '/v2/bug',
    handler: async () => {
      throw new Error(`no relation "venture"."x" for pk_live_${'Q'.repeat(49)}`);
    },
  },
  {
    method: 'GET',
    path: '/v2/half',
    handler: (_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.write('[1,');
      throw new Error('too late');
    },
  },
  {
    method: 'GET',
    path: '/page',
    surface: 'page',
    handler: (_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      sendJson(response, 200, '<p>hello</p>');
    },
  },
  {
    method: 'GET',
    path: '/gone/*rest',
    surface: 'page',
    handler: (_request, response) => void response.status(404).end(),
  },
];
