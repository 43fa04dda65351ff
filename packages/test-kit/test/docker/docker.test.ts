import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { testFolder } from '@vcds/test-kit';
import { parse } from 'yaml';
import { readAdminConfig } from '../../../../services/access-api/src/admin/admin-config.ts';
import { readAccessConfig, readWorkerConfig } from '../../../../services/access-api/src/config.ts';
import { readDataApiConfig } from '../../../../services/data-api/src/config.ts';
import { readDataWorkerConfig } from '../../../../services/data-api/src/worker/config.ts';
import { OWN_SECRETS } from '../../../local-stack/src/stack/own-secrets.ts';
import { EDGE_VARIABLES } from '../../../service-kit/src/edge-variables.ts';
import { STOP_MS_MAX } from '../../../service-kit/src/service.ts';
import { compose, composeText, containers, readDocker, variablesOf } from './compose-file.ts';

const PROCESSES = {
  'data-api': readDataApiConfig,
  'data-worker': readDataWorkerConfig,
  'access-api': readAccessConfig,
  worker: readWorkerConfig,
  admin: readAdminConfig,
} as const;
/** Set by the image, a name per process, or only for a local stack or tests. */
const NOT_COMPOSE =
  /_HOST$|_PORT$|^(?:LOCAL_DIR|MAIL_DIR|OUTBOUND_TEST_ADDRESS|OTEL_SERVICE_NAME)$/;
/** Read if the URL of the process's own role is not set. */
const OTHER_URLS = /^DATABASE_URL$/;

const interpolated = [...composeText.matchAll(/\$\{(\w+)(:[?+-])?/g)].map(
  ([, name = '', rest]) => ({
    name,
    isRequired: rest === ':?',
  }),
);
const example = readDocker('.env.example');
const exampleNames = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);

// docker/smoke.mjs runs the images and the scripts.
test('docker/Dockerfile needs no frontend from a registry, and pins pnpm where package.json does', () => {
  const text = readDocker('Dockerfile');
  expect(text).not.toMatch(/^# *syntax=/m);
  expect(text).not.toMatch(/pnpm@\d/);
  expect(text).toMatch(/^ARG NODE_IMAGE=node:24-/m);
});

describe('docker/compose.yaml', () => {
  test.each(containers)('confines %s', (_, container) => {
    expect(container.read_only).toBe(true);
    const files = (container.entrypoint ?? []).filter((part) => /\.m?js$/.test(part));
    expect(files.filter((file) => !file.startsWith('/app/'))).toEqual([]);
    expect(container.cap_drop).toEqual(['ALL']);
    expect(container.security_opt).toEqual(['no-new-privileges:true']);
    expect(Object.keys(container.deploy.resources.limits).sort()).toEqual([
      'cpus',
      'memory',
      'pids',
    ]);
    expect(Object.keys(container.logging.options).sort()).toEqual(['max-file', 'max-size']);
  });

  test('publishes the two public ports and, with metrics, Grafana, for this machine only', () => {
    const published = containers.flatMap(([name, { ports = [], profiles = [] }]) =>
      ports.map(
        (port) => `${profiles.join()} ${name} ${port.replace(/\$\{\w+:-([^}]*)\}/g, '$1')}`,
      ),
    );
    expect(published).toEqual([
      ' data-api 127.0.0.1:8080:8080',
      ' access-api 127.0.0.1:8081:8081',
      'observe grafana 127.0.0.1:3000:3000',
    ]);
    expect(compose.networks.internal?.internal).toBe(true);
    const stores = ['postgres', 'redis', 'migrate', 'admin', 'ingest', 'prometheus'];
    expect(stores.map((name) => compose.services[name]?.networks)).toEqual(
      stores.map(() => ['internal']),
    );
  });

  test.each(Object.entries(PROCESSES))(
    'sets each variable that %s reads, and no other',
    (name, read) => {
      const given = Object.keys(compose.services[name]?.environment ?? {});
      const known = variablesOf(read);
      const local = name === 'admin' ? /^$/ : NOT_COMPOSE;
      const wanted = known.filter((each) => !local.test(each) && !OTHER_URLS.test(each));
      expect(given.filter((each) => !OTHER_URLS.test(each)).sort()).toEqual(wanted);
    },
  );

  test('waits for the drain of a process before it ends it', () => {
    // The default of DRAIN_MS, and the bound of docs/configuration.md#shutdown.
    const shortest = EDGE_VARIABLES.DRAIN_MS.default / 1_000 + STOP_MS_MAX / 1_000;
    for (const name of Object.keys(PROCESSES).filter((each) => each !== 'admin')) {
      const period = compose.services[name]?.stop_grace_period ?? '';
      expect(Number(/:-(\d+)s/.exec(period)?.[1])).toBeGreaterThanOrEqual(shortest);
    }
  });

  test('asks no registry for an image that it can build', () => {
    const own = containers.filter(([, { image }]) => image.startsWith(`\${IMAGE_PREFIX`));
    expect(own.length).toBeGreaterThan(8);
    const asking = own.filter(
      ([, container]) =>
        container.build === undefined || container.pull_policy !== `\${PULL_POLICY:-never}`,
    );
    expect(asking).toEqual([]);
  });

  test.each(Object.entries(PROCESSES).filter(([name]) => name in OWN_SECRETS))(
    'as npm start, gives %s the secrets that it reads, and no other',
    (name, read) => {
      const all = new Set<string>(Object.values(OWN_SECRETS).flat());
      const own: readonly string[] = OWN_SECRETS[name as keyof typeof OWN_SECRETS];
      // A service reads DATABASE_URL only where that of its own role is not set.
      const others = name === 'data-api' ? /^$/ : OTHER_URLS;
      const known = variablesOf(read).filter((each) => !others.test(each));
      expect([...own].sort()).toEqual(known.filter((each) => all.has(each)));
      const isSecret = /SECRET$|_KEY(?:_FILE)?$|DATABASE_(?:\w+_)?URL$|REDIS_URL$/;
      expect(known.filter((each) => isSecret.test(each) && !all.has(each))).toEqual([]);
    },
  );

  test('gives each role a password of its own', () => {
    const roles = [...composeText.matchAll(/postgres:\/\/(\w+):\$\{(\w+):\?\}/g)];
    expect(new Set(roles.map(([, role]) => role)).size).toBe(5);
    expect(new Set(roles.map(([, , password]) => password)).size).toBe(5);
    const services = ['data-api', 'data-worker', 'access-api', 'worker', 'admin', 'ingest', 'demo'];
    const environments = services.map((name) =>
      JSON.stringify(compose.services[name]?.environment),
    );
    expect(environments.filter((text) => text.includes('vcds_owner'))).toEqual([]);
  });
});

describe('docker/.env.example', () => {
  test('has each variable of the compose file once, and no other', () => {
    expect([...exampleNames].sort()).toEqual(
      [...new Set(interpolated.map(({ name }) => name))].sort(),
    );
  });

  test('marks those that must be changed, which the compose file requires', () => {
    const marked = [...example.matchAll(/^(\w+)=CHANGE_ME$/gm)].map(([, name]) => name);
    const required = interpolated.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    expect(marked.sort()).toEqual([...new Set(required)].sort());
  });

  test('and the images cover the variables of docs/configuration.md', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/configuration.md'), 'utf8');
    const [product = ''] = page.split('\n## Assistants');
    const rows = product.split('\n').filter((line) => line.startsWith('| `'));
    const documented = rows.flatMap((row) => row.split(' | ')[0]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
    expect(documented.length).toBeGreaterThan(40);
    const inFiles = `${composeText}${readDocker('Dockerfile')}${example}`;
    const internal = /_INTERNAL_PORT$|^(?:OUTBOUND_TEST_ADDRESS|OTEL_SERVICE_NAME)$/;
    const missing = documented.filter((name) => !inFiles.includes(name) && !internal.test(name));
    expect(missing).toEqual([]);
  });

  test('is documented', () => {
    const pages = ['configuration', 'docker'].map((name) =>
      readFileSync(join(repositoryRoot, `docs/${name}.md`), 'utf8'),
    );
    const documented = pages.join('\n');
    expect(exampleNames.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('becomes .env with a random secret per mark', async () => {
    const folder = await testFolder('vcds-docker-');
    for (const name of ['.env.example', 'create-env.sh']) {
      copyFileSync(join(repositoryRoot, 'docker', name), join(folder, name));
    }
    execFileSync('sh', [join(folder, 'create-env.sh')]);
    const secrets = [
      ...readFileSync(join(folder, '.env'), 'utf8').matchAll(/^\w+=([0-9a-f]{48})$/gm),
    ].map(([, secret]) => secret);
    expect(new Set(secrets).size).toBe(example.match(/=CHANGE_ME$/gm)?.length);
    expect(() => execFileSync('sh', [join(folder, 'create-env.sh')], { stdio: 'pipe' })).toThrow(
      'exists already',
    );
  });
});

describe('docker/observe', () => {
  test('scrapes the internal port of every process', () => {
    const text = readDocker('observe/prometheus.yml');
    const targets = [...text.matchAll(/names: \[([\w-]+)\], type: A, port: (\d+)/g)];
    expect(targets.map(([, name, port]) => `${name} ${port}`)).toEqual([
      'data-api 9080',
      'access-api 9081',
      'worker 9082',
      'data-worker 9083',
    ]);
  });

  test('has the rules of Kubernetes: npm run describe', () => {
    const folder = join(repositoryRoot, 'infra/kubernetes/components/monitoring');
    const groups = ['slo-rules', 'alerts'].flatMap(
      (name) => parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')).spec.groups,
    );
    expect(parse(readDocker('observe/rules.yml'))).toEqual({ groups });
    const config = parse(readDocker('observe/prometheus.yml'), { merge: true });
    expect(config.rule_files).toEqual(['rules.yml']);
    // The label that the texts of the alerts name.
    const relabelled = { source_labels: ['__address__'], target_label: 'pod' };
    for (const { relabel_configs: rules } of config.scrape_configs) {
      expect(rules).toEqual([relabelled]);
    }
  });
});
