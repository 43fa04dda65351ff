import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@vcds/service-kit';
import { THREAD_ARGUMENTS } from '../../../../../packages/facet-engine/test/support/open-engine.ts';
import {
  type RemoteEngineOptions,
  RemoteFacetEngine,
} from '../../../src/categories/remote-engine/remote-engine.ts';
import { readFacetsConfig } from '../../../src/facets/config.ts';
import { startFacets } from '../../../src/facets/facets.ts';

export const SERVICE_TOKEN_SECRET = 'a secret of calls between services';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Starts the facet process on a port, or on one that the system chooses. */
export async function openFacetProcess(databaseUrl: string, port = 0) {
  const config = readFacetsConfig({
    DATABASE_URL: databaseUrl,
    FACETS_INTERNAL_PORT: String(port),
    SERVICE_TOKEN_SECRET,
  });
  const engine = { threads: 2, pollMs: 20, execArgv: THREAD_ARGUMENTS };
  const { ports, stop } = await startFacets(config, { logger, engine });
  const listening = ports.internal ?? 0;
  return { url: `http://127.0.0.1:${listening}`, port: listening, stop };
}

/** The engine of data-api that counts in the facet process. */
export function remoteEngine(
  url: string,
  options: Partial<RemoteEngineOptions> = {},
): RemoteFacetEngine {
  return new RemoteFacetEngine({
    url,
    serviceTokenSecret: SERVICE_TOKEN_SECRET,
    logger,
    pollMs: 20,
    ...options,
  });
}

/** A proxy of the facet process. Once silent, it accepts requests and sends no response. */
export async function openSilentProxy(target: string) {
  let isSilent = false;
  let counts = 0;
  const server = createServer((incoming, response) => {
    if (isSilent && incoming.url?.endsWith('/count')) counts += 1;
    if (isSilent) return;
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '/', target), { method, headers }, (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    });
    incoming.pipe(outgoing.on('error', () => response.destroy()));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setSilent: (silent: boolean) => {
      isSilent = silent;
    },
    /** Counts received while silent. */
    counts: () => counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
