import { PLANS } from '@vcds/metering';
import {
  ACCESS_BASE_PATH,
  DATA_BASE_PATH,
  keySteps,
  MCP_PATH,
  type Route,
  readParameters,
  seeUrl,
  sendJson,
} from '@vcds/service-kit';
import { withoutCredential } from '../authenticate/without-credential.ts';
import { type Endpoint, type EndpointText, templateOf } from './endpoint.ts';
import { assertAccepted } from './request/parameter-reader.ts';
import { namesOf } from './request/parameters.ts';

/** The public URLs that the root links: {base_url} and {auth_url}. */
type RootUrls = Readonly<Record<'baseUrl' | 'authUrl', string>>;

/** The root: at {base_url}, and at the host itself. */
export const ROOTS: readonly (readonly [path: string, text: EndpointText])[] = [
  [
    DATA_BASE_PATH,
    {
      ...{ id: 'listEndpoints', tag: 'service', summary: 'The endpoints of the data API' },
      description:
        'Every endpoint with its parameters, fields and relations, and how to get a key. Needs no key.',
    },
  ],
  [
    '/',
    {
      ...{ id: 'listEndpointsOfHost', tag: 'service', summary: 'The same list' },
      description: 'The root of the host. Needs no key.',
    },
  ],
];

/** The root, at both of its paths, and the way to `/llms.txt`: free and without a key (docs/spec/addresses.md 1.6). */
export function rootRoutes(served: readonly Endpoint[], urls: RootUrls): Route[] {
  const body = JSON.stringify(rootBody(served, urls));
  const roots = ROOTS.map(
    ([path]): Route => ({
      method: 'GET',
      path,
      handler: (request, response) => {
        assertAccepted(withoutCredential(readParameters(request)), []);
        sendJson(response, 200, body);
      },
    }),
  );
  return [...roots, llmsRoute(urls)];
}

/** Assistants look for this page on every host: it leads to that of the access host. */
function llmsRoute({ baseUrl, authUrl }: RootUrls): Route {
  const accessUrl = authUrl.slice(0, -ACCESS_BASE_PATH.length);
  const text = `# Venture Capital Data Service

> This is the host of the data API, whose root is ${baseUrl}. Read ${seeUrl(accessUrl, '/llms.txt')} before the first call.

- [For assistants](${seeUrl(accessUrl, '/llms.txt')}): what there is, and where
- [Everything on one page](${seeUrl(accessUrl, '/llms-full.txt')}): rules, prices, fields, values, recipes
`;
  return {
    method: 'GET',
    path: '/llms.txt',
    handler: (_request, response) => {
      response.type('text/plain').send(text);
    },
  };
}

/** Every endpoint with its parameters, how to get a key, and what describes the service. */
export function rootBody(served: readonly Endpoint[], { baseUrl, authUrl }: RootUrls) {
  const listed = served.filter(({ text }) => text !== undefined);
  const accessUrl = authUrl.slice(0, -ACCESS_BASE_PATH.length);
  const dataUrl = baseUrl.slice(0, -DATA_BASE_PATH.length);
  return {
    service: 'data-api',
    version: 'v2',
    base_url: baseUrl,
    auth_url: authUrl,
    get_key: keySteps(authUrl),
    pricing: seeUrl(baseUrl, '/pricing'),
    coverage: seeUrl(baseUrl, '/coverage'),
    documentation: seeUrl(accessUrl, '/docs'),
    description: seeUrl(authUrl, '/openapi.json'),
    access_description: seeUrl(authUrl, '/access-openapi.json'),
    llms: seeUrl(accessUrl, '/llms.txt'),
    llms_full: seeUrl(accessUrl, '/llms-full.txt'),
    mcp: seeUrl(dataUrl, MCP_PATH),
    plans: plansOf(listed),
    paths: listed.map(({ path }) => templateOf(path)),
    endpoints: listed.map(({ path, accepts, resource, rate: { method } }) => ({
      path: templateOf(path),
      ...(method !== 'GET' && { method }),
      parameters: namesOf(accepts),
      ...(resource && { fields: [...resource.fields.keys()] }),
      ...(resource && { relations: [...resource.relations.keys()] }),
    })),
  };
}

// The scopes that each plan adds to those of the smaller plans.
function plansOf(listed: readonly Endpoint[]) {
  const plans = Object.values(PLANS);
  return plans.map(({ id, creditsPerMonth, topMax, entitlements }, i) => {
    const smaller = new Set(plans.slice(0, i).flatMap((plan) => plan.entitlements));
    const added = entitlements.filter((scope) => i > 0 && !smaller.has(scope));
    const needing = listed.filter(({ rate: { scope } }) => scope !== null && added.includes(scope));
    return {
      ...{ id, creditsPerMonth, topMax },
      addedScopes: added,
      addedPaths: needing.map(({ path }) => templateOf(path)),
    };
  });
}
