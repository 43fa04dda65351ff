import { closeRedis, createRedis, redisReady } from '@vcds/service-kit';
import { openSiteReader } from '@vcds/site-facts/reader';
import type { JobContext } from '../jobs/jobs.ts';
import { type SweepCounts, sweepSites } from './sweep-sites.ts';

const REDIS_MS_MAX = 30_000;

/** Visits the sites of companies and records what it finds. */
export async function sweepStatuses(context: JobContext): Promise<SweepCounts> {
  const { config, pool, logger, signal } = context;
  const redis = createRedis({ url: config.REDIS_URL, name: 'data-worker-sites', logger });
  try {
    await redisReady(redis, REDIS_MS_MAX);
    const reader = openSiteReader({ config, redis, logger });
    return await sweepSites({ pool, reader, sitesMax: config.STATUS_SWEEP_SITES, signal });
  } finally {
    await closeRedis(redis);
  }
}
