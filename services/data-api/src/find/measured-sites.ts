import { SiteError, type SiteReader } from '@vcds/site-facts/reader';
import { Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The reader, with a metric of how long its reads take, by outcome. */
export function measuredSites(
  reader: Pick<SiteReader, 'readSite'>,
  registry: Registry,
): Pick<SiteReader, 'readSite'> {
  const duration = new Histogram({
    name: 'vcds_site_read_duration_seconds',
    help: 'Duration of reads of sites by outcome: read, or the reason of the error.',
    labelNames: ['outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    async readSite(request) {
      const end = duration.startTimer();
      try {
        const page = await reader.readSite(request);
        end({ outcome: 'read' });
        return page;
      } catch (error) {
        end({ outcome: error instanceof SiteError ? error.reason : 'stopped' });
        throw error;
      }
    },
  };
}
