import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, freePort } from '@vcds/test-kit';
import { repositoryRoot } from '@vcds/test-kit/bench';

/** Prometheus on the rules of the product, which the product and an exporter of Redis are scraped for. */
export interface Monitoring {
  /** Whether an alert fires now. */
  fires(alert: string): Promise<boolean>;
  /** Scrapes a job no longer, as if its container were gone, or again. */
  scrape(job: string, isScraped: boolean): Promise<void>;
  close(): void;
}

const PROGRAMS = ['prometheus', 'prometheus-redis-exporter'] as const;

/** Debian's packages of the same names. */
export const hasMonitoring = (): boolean =>
  PROGRAMS.every((program) => spawnSync(program, ['--version']).error === undefined);

/**
 * The rules as they are, except that their windows and waits are seconds: [5m] and [6h] are 40 s, `for` is
 * none, and bounds in seconds or charges are those of this table.
 */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/\[\d+[mh]\]/g, '[40s]'],
  [/for: \d+[mh]/g, 'for: 0s'],
  [/(vcds_signals_lag_seconds\)) > 60/, '$1 > 4'],
  [
    /(vcds_facet_(?:engine_lag_seconds and vcds_facet_engine_ready == 1|indexer_lag_seconds)\)) > 120/g,
    '$1 > 4',
  ],
  [/(vcds_ledger_charges_pending\)) > 100000/, '$1 > 10'],
  [/(state="idle"\}\)) > 300/, '$1 > 4'],
  [/> 36 \* 3600/, '> 20'],
];

/** @param targets the internal listeners by job. @param redisUrl what the exporter reads. */
export async function startMonitoring(
  folder: string,
  targets: Readonly<Record<string, string>>,
  redisUrl: string,
): Promise<Monitoring> {
  const [port, exporterPort] = [await freePort(), await freePort()];
  let rules = await readFile(join(repositoryRoot, 'docker/observe/rules.yml'), 'utf8');
  for (const [pattern, text] of SHORTER) {
    if (!pattern.test(rules)) throw new Error(`No rule has ${pattern}.`);
    rules = rules.replaceAll(new RegExp(pattern, 'g'), text);
  }
  await writeFile(join(folder, 'rules.yml'), rules);
  const jobs = { ...targets, redis: `127.0.0.1:${exporterPort}` };
  const scrape = async (job: string, isScraped: boolean): Promise<void> => {
    const target = (jobs as Readonly<Record<string, string>>)[job];
    const file = JSON.stringify(
      isScraped ? [{ targets: [target], labels: { pod: `${job}-1` } }] : [],
    );
    await writeFile(join(folder, `${job}.json`), file);
  };
  for (const job of Object.keys(jobs)) await scrape(job, true);
  const configuration = {
    global: { scrape_interval: '4s', scrape_timeout: '4s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: Object.keys(jobs).map((job) => ({
      job_name: job,
      file_sd_configs: [{ files: [`${job}.json`], refresh_interval: '1s' }],
    })),
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const children = [
    run('prometheus-redis-exporter', [
      `--redis.addr=${redisUrl}`,
      `--web.listen-address=127.0.0.1:${exporterPort}`,
    ]),
    run('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--query.lookback-delta=15s',
    ]),
  ];
  const api = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${api}/-/ready`)).ok);
  return {
    fires: async (alert) => {
      const { data } = (await (await fetch(`${api}/api/v1/alerts`)).json()) as Alerts;
      return data.alerts.some(
        ({ labels, state }) => labels.alertname === alert && state === 'firing',
      );
    },
    scrape,
    close: () => void children.map((child) => child.kill('SIGKILL')),
  };
}

interface Alerts {
  readonly data: {
    readonly alerts: readonly { readonly labels: { alertname: string }; readonly state: string }[];
  };
}

function run(program: (typeof PROGRAMS)[number], args: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: 'ignore' });
}
