import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createHttpServer, createWorkGate, READ_HEADERS } from '@vcds/service-kit';
import { closedAfterAll, headersRead, httpCalls } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import { openApi } from '../support/api.ts';

/** Every network and account is beyond its share after its first request, and stays so. */
const gate = createWorkGate({
  registry: new Registry(),
  clock: { wallMs: () => 0, monotonicMs: () => 0 },
  limits: { inFlightMax: 99, free: { part: 1e-6, burstMs: 0, blockedMsMax: 10_000 } },
});
const api = await closedAfterAll(openApi({ seed: 'SELECT 1', gate }));

test('every route has the bounds of the network, unless a valid key names an account', async () => {
  const server = createHttpServer(api.app);
  const read = headersRead(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const calls = httpCalls(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const call = async (method: string, path: string, account: string) => {
    // Forwarded, so that no rejection is held.
    const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Api-Key': 'k', 'x-account': account };
    return (await calls.send(method, path, headers)).status;
  };
  await call('GET', '/v2', 'unknown');
  for (const [index, { method, path, takesKey = false }] of api.routes.entries()) {
    const sent = path.replaceAll(/[:*]\w+/g, '1');
    expect([path, await call(method, sent, 'unknown')]).toEqual([path, 429]);
    expect([path, (await call(method, sent, `a-${index}`)) === 429]).toEqual([path, !takesKey]);
  }
  calls.close();
  server.close();
  const unbounded = [...read].filter((name) => !READ_HEADERS.has(name));
  expect(unbounded).toEqual(['x-account']);
});
