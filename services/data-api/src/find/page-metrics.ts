import { Gauge, type Registry } from 'prom-client';
import type { PageReader } from './page-reader.ts';

/** The metric of the queue in front of the thread that reads pages. */
export function registerPageMetrics(registry: Registry, pages: Pick<PageReader, 'pending'>): void {
  new Gauge({
    name: 'vcds_find_pages_pending',
    help: 'Pages of look-ups that wait until their facts are read, or are read; 32 at most.',
    registers: [registry],
    collect() {
      this.set(pages.pending);
    },
  });
}
