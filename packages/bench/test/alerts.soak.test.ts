import { expect, test } from '@jest/globals';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { INCIDENTS } from './alerts/incidents.ts';
import { startInstallation } from './alerts/installation.ts';
import { hasMonitoring } from './alerts/monitoring.ts';

const FIRES_MS_MAX = 120_000;

/**
 * docs/operations.md, provoked: the state is brought about, the alert fires, the queries of the page show
 * the culprit, and the repair ends it. promtool provokes the alerts that need another system.
 */
const provoked = hasMonitoring() ? test : test.skip;
if (!hasMonitoring()) {
  process.stderr.write(
    'The alerts are not provoked: install the packages prometheus and prometheus-redis-exporter.\n',
  );
}
const installation = hasMonitoring() ? await closedAfterAll(startInstallation()) : undefined;

provoked.each(INCIDENTS.map((incident) => [incident.alert, incident.what, incident] as const))(
  '%s: %s',
  async (alert, _, incident) => {
    if (installation === undefined) throw new Error('unreachable');
    const { fires } = installation.monitoring;
    const within = { timeoutMs: FIRES_MS_MAX, intervalMs: 500 };
    await eventually(async () => !(await fires(alert)), within);
    const repair = await incident.provoke(installation);
    try {
      await eventually(() => fires(alert), within);
      await incident.seen?.(installation);
    } finally {
      await repair();
    }
    await eventually(async () => !(await fires(alert)), within);
    await eventually(async () => expect(await installation.call('/startups?$top=1')).toBe(200));
  },
  3 * FIRES_MS_MAX,
);
