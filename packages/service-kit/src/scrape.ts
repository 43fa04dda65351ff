import { Gauge, type Registry } from 'prom-client';
import { shared, within } from './within.ts';

/** Far below the ten seconds after which Prometheus gives a scrape up. */
const COLLECT_MS_MAX = 3_000;
const OMITTED = 'vcds_metric_omitted';

/**
 * Reads a registry for `/metrics` in at most 3 s: a metric that is read from a store which does not
 * respond is left out, and named by `vcds_metric_omitted{metric}`, instead of delaying all others.
 * It is not read again before the reading under way has ended, or after 10 s.
 */
export function createScrape(registry: Registry): () => Promise<string> {
  const omitted = new Gauge({
    name: 'vcds_metric_omitted',
    help: 'Metrics that could not be read at this scrape, from a store that did not respond.',
    labelNames: ['metric'],
    registers: [registry],
  });
  const readings = new Map<string, () => Promise<string>>();
  const read = (name: string): Promise<string> => {
    const reading = readings.get(name) ?? shared(() => registry.getSingleMetricAsString(name));
    readings.set(name, reading);
    return reading();
  };
  return async () => {
    omitted.reset();
    const all = registry.getMetricsAsArray().map(({ name }) => name);
    const names = all.filter((name) => name !== OMITTED);
    const texts = await Promise.all(
      names.map(async (metric) => {
        try {
          return await within(COLLECT_MS_MAX, read(metric), 'not read in time');
        } catch {
          omitted.set({ metric }, 1);
          return '';
        }
      }),
    );
    texts.push(await registry.getSingleMetricAsString(OMITTED));
    return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
  };
}
