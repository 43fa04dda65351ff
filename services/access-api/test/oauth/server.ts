import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { accessTokenDigest, SCOPES } from '@vcds/credentials';
import { closedAfterAll, testRsaKey } from '@vcds/test-kit';
import request from 'supertest';
import { createClient } from '../../../../packages/site-facts/src/outbound-http/outbound-client.ts';
import { createClientDocuments } from '../../src/oauth/client-documents.ts';
import { signedIn } from '../pages/person.ts';
import { ACCESS_URL, DATA_URL, newClient, openFixture } from '../registration/fixture.ts';

// A site with documents of clients, which the service may reach in place of the internet.
const FIXTURE = '../../../../packages/site-facts/test/outbound-http/fixtures/acme.pem';
const cert = readFileSync(new URL(FIXTURE, import.meta.url), 'utf8');
export const documents = new Map<string, { status?: number; location?: string; body?: string }>();
export const asked: string[] = [];
const site = createServer({ key: testRsaKey(0).pem, cert }, ({ url = '' }, response) => {
  asked.push(url);
  const { status = 200, location, body = '' } = documents.get(url) ?? { status: 404 };
  response.writeHead(status, location === undefined ? {} : { Location: location }).end(body);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
await closedAfterAll({ close: async () => void site.close() });
const { port } = site.address() as AddressInfo;
const outbound = createClient(
  { userAgent: 'test' },
  {
    ...{ isAllowed: () => true, resolve: async () => ['127.0.0.1'], ca: cert },
    ports: new Set([port]),
  },
);
export const SITE = `https://acme.example:${port}`;

export const fixture = await openFixture({
  replace: ({ oauth, clock }) => ({
    oauth: oauth && { ...oauth, documents: createClientDocuments(clock, outbound) },
  }),
});
const { oauth } = fixture.access;
if (oauth === undefined) throw new Error('OAuth is off.');
export const RESOURCE = `${DATA_URL}/mcp`;

const listener = createHttpServer(fixture.app).listen(0, '127.0.0.1');
await once(listener, 'listening');
await closedAfterAll({ close: () => listener.close() });
const { port: listenerPort } = listener.address() as AddressInfo;

/** For a program that reaches both hosts by their public names; data-api has its metadata only. */
export async function fetchFn(url: string | URL, init?: RequestInit): Promise<Response> {
  const { origin, pathname, search } = new URL(url);
  if (origin === ACCESS_URL) {
    return fetch(`http://127.0.0.1:${listenerPort}${pathname}${search}`, init);
  }
  return Response.json({ resource: RESOURCE, authorization_servers: [ACCESS_URL] });
}

export const CALLBACK = 'http://127.0.0.1:7777/callback';

export const register = (metadata: object | string, client = newClient()) =>
  request(fixture.app).post('/oauth/register').set('X-Forwarded-For', client).send(metadata);
export const clientOf = async (uris: readonly string[] = [CALLBACK]): Promise<string> =>
  (await register({ client_name: 'Program', redirect_uris: uris })).body.client_id;

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
export const authorize = (clientId: string, changes: Record<string, string | undefined> = {}) => {
  const parameters: Record<string, string | undefined> = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: CALLBACK, state: 's' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: RESOURCE },
    ...changes,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return request(fixture.app)
    .get('/oauth/authorize')
    .set('X-Forwarded-For', newClient())
    .query(Object.fromEntries(given));
};
export const post = (path: string, fields: Record<string, string>) =>
  request(fixture.app).post(path).type('form').send(fields);
export const redeem = (clientId: string, code: string, changes: Record<string, string> = {}) =>
  post('/oauth/token', {
    ...{ grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier },
    ...{ redirect_uri: CALLBACK, resource: RESOURCE, ...changes },
  });

/** A person who has connected a client; the code, which is not redeemed yet. */
export async function connected() {
  const clientId = await clientOf();
  const { person, accountId } = await signedIn(fixture);
  const { headers } = await authorize(clientId);
  const answer = await person.post(headers.location ?? '', { decision: 'allow', scope: SCOPES });
  const code = new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
  return { clientId, person, accountId, code };
}
export const check = async (token: string, resource = RESOURCE) => {
  const digest = accessTokenDigest(token);
  if (digest === undefined) throw new Error('Not an access token.');
  const found = await oauth.grants.check(digest, resource);
  return 'rejected' in found ? found.rejected : 'accepted';
};

/** Ids that are no address of a document that may be read. */
export const OTHER_IDS = [
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/client.json',
  'https://acme.example:8443/client.json',
  'http://acme.example/client.json',
  'https://user@acme.example/client.json',
  'https://acme.example/#client',
  'https://acme.example/',
];

/** Redirect URIs that no client may have. */
export const OTHER_REDIRECTS: string[][][] = [
  [['javascript:alert(1)']],
  [['data:text/html,x']],
  [['http://evil.example/cb']],
  [['https://user:x@evil.example/cb']],
  [['https://evil.example/cb#x']],
  [["https://a;sandbox/'"]],
  [[`https://evil.example/${'x'.repeat(600)}`]],
  [Array.from({ length: 11 }, (_, i) => `https://a${i}.example/`)],
  [[]],
];
