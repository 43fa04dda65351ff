import { SignalPublisher } from '../../src/worker/publish-signals/publisher.ts';
import { logger, startApi } from '../data-api.ts';
import type { FollowedPage } from './follower.ts';

/** The data API on a port of its own, without credits. */
export async function openBenchApi(connectionString: string) {
  const api = await startApi({ connectionString, connections: 4, statementMsMax: 10_000 });
  return {
    close: api.close,
    page: async (query: Readonly<Record<string, string>>): Promise<FollowedPage> => {
      const reply = await fetch(`${api.url}/signals?${new URLSearchParams(query)}`);
      if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as FollowedPage;
    },
  };
}

/** A publisher in this process. */
export function startBenchPublisher(url: string): SignalPublisher {
  const metrics = { published: () => {}, leads: () => {}, failed: () => {} };
  return new SignalPublisher({ connectionString: url, logger, metrics });
}
