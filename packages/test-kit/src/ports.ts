import { freePort } from '@vcds/local-stack';

/** Gives a free port of 127.0.0.1, another one at each call. */
export type FreePort = () => Promise<number>;

/**
 * Free ports for all of a run: a server that is stopped for a while, or starts in a moment, finds
 * its port as it left it, as far as the run is concerned.
 */
export function portsOfOneRun(): FreePort {
  const given = new Set<number>();
  return async () => {
    for (;;) {
      const port = await freePort();
      if (given.has(port)) continue;
      given.add(port);
      return port;
    }
  };
}
