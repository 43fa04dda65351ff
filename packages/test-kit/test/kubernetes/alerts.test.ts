import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { parse } from 'yaml';
import { anchorOf, headingsOf } from '../docs/repository.ts';
import { errorsOfQuery, seriesIn } from '../metrics/promql.ts';
import { registeredMetrics, seriesOf } from '../metrics/registered-metrics.ts';
import {
  describeWithKustomize,
  HOSTED,
  KUBERNETES_FOLDER,
  ofKind,
  parseManifests,
} from './render.ts';

/** Metrics of Prometheus itself, of the exporter of Redis and of kube-state-metrics. */
const OTHERS = [
  ...['up', 'redis_memory_used_bytes', 'redis_memory_max_bytes'],
  ...['kube_job_status_failed', 'kube_job_status_succeeded', 'kube_cronjob_created'],
  'kube_cronjob_status_last_successful_time',
];
const MONITORING = join(KUBERNETES_FOLDER, 'components/monitoring');

const rules = readdirSync(MONITORING)
  .filter((file) => file.endsWith('.yaml') && !/kustomization|adapter|requests|test/.test(file))
  .flatMap((file) =>
    ofKind<IPrometheusRule>(
      parseManifests(readFileSync(join(MONITORING, file), 'utf8')),
      'PrometheusRule',
    ),
  )
  .flatMap(({ spec }) => spec?.groups ?? [])
  .flatMap((group) => group.rules ?? []);
const alerts = rules.filter(({ alert }) => alert !== undefined);

describe('the alerts', () => {
  test('and the indicators that they use are PromQL', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.flatMap(({ expr }) => errorsOfQuery(String(expr)))).toEqual([]);
  });

  test('use only metrics that the product exports, or rules record', () => {
    const known = new Set([...OTHERS, ...registeredMetrics.flatMap(seriesOf)]);
    for (const { record } of rules) if (record !== undefined) known.add(record);
    const used = rules.flatMap(({ expr }) => seriesIn(String(expr)));
    expect(new Set(used).size).toBeGreaterThan(15);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  test('have a severity, a summary and a section of docs/operations.md', () => {
    const anchors = headingsOf('docs/operations.md').map(anchorOf);
    const page = /^https:\/\/\S+\/docs\/operations\.md#([\w-]+)$/;
    const wrong = alerts.filter(({ labels, annotations }) => {
      const [, anchor = ''] = page.exec(annotations?.runbook_url ?? '') ?? [];
      return (
        !['critical', 'warning'].includes(labels?.severity ?? '') ||
        (annotations?.summary ?? '') === '' ||
        !anchors.includes(anchor)
      );
    });
    expect(wrong).toEqual([]);
  });

  test('cover what an operator must know', () => {
    expect([...new Set(alerts.map(({ alert }) => alert))].sort()).toEqual([
      'VcdsAbsent',
      'VcdsBackupMissing',
      'VcdsChargePartitionsMissing',
      'VcdsDatabasePoolWaiting',
      'VcdsErrorsBurnFast',
      'VcdsErrorsBurnSlow',
      'VcdsFacetLag',
      'VcdsFeedLag',
      'VcdsFeedWithoutPublisher',
      'VcdsFindPagesPending',
      'VcdsIdleTransaction',
      'VcdsJobFails',
      'VcdsJobNotSucceeding',
      'VcdsKeyChecksFail',
      'VcdsLatencyBurnFast',
      'VcdsLatencyBurnSlow',
      'VcdsLedgerDrainBehind',
      'VcdsLedgerDrainFails',
      'VcdsMailCanaryStale',
      'VcdsMailFailed',
      'VcdsMigrationFailed',
      'VcdsRedisDown',
      'VcdsRedisMemory',
      'VcdsReplicaLeftOut',
      'VcdsStoreFails',
      'VcdsTargetDown',
    ]);
  });

  test('are each provoked by a test of Prometheus', () => {
    const provoked = readFileSync(join(MONITORING, 'rules.test.yaml'), 'utf8');
    const names = [...provoked.matchAll(/- name: (Vcds\w+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });

  test.each([
    ['sum(rate(a_total[5m])', 1],
    ['a_total[5x]', 1],
    ['max(a) > 1', 0],
  ])('are rejected if they do not parse, as %s', (query, errors) => {
    expect(errorsOfQuery(query)).toHaveLength(errors);
  });
});

describeWithKustomize('the autoscalers', (manifestsOf) => {
  test.each(HOSTED)(
    'of %s scale by processor and by the requests that the adapter serves',
    (overlay) => {
      const { rules: adapter } = parse(
        readFileSync(join(MONITORING, 'adapter-values.yaml'), 'utf8'),
      ) as {
        rules: { custom: readonly { seriesQuery: string; name: { as: string } }[] };
      };
      const [rule] = adapter.custom;
      expect(errorsOfQuery(rule?.seriesQuery ?? '')).toEqual([]);
      expect(registeredMetrics.flatMap(seriesOf)).toContain(rule?.seriesQuery.split('{')[0]);
      const autoscalers = ofKind<IHorizontalPodAutoscaler>(
        manifestsOf(overlay),
        'HorizontalPodAutoscaler',
      );
      expect(autoscalers.map(({ spec }) => spec?.scaleTargetRef.name).sort()).toEqual([
        'access-api',
        'data-api',
      ]);
      for (const { spec } of autoscalers) {
        expect(spec?.minReplicas).toBeGreaterThan(1);
        expect(
          spec?.metrics?.map(({ resource, pods }) => resource?.name ?? pods?.metric.name),
        ).toEqual(['cpu', rule?.name.as]);
      }
    },
  );
});
