import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { testFolder } from '@vcds/test-kit';
import { parse } from 'yaml';
import { readAdminConfig } from '../../../../services/access-api/src/admin/admin-config.ts';
import { readAccessConfig, readWorkerConfig } from '../../../../services/access-api/src/config.ts';
import { readDataApiConfig } from '../../../../services/data-api/src/config.ts';
import { readFacetsConfig } from '../../../../services/data-api/src/facets/config.ts';
import { readDataWorkerConfig } from '../../../../services/data-api/src/worker/config.ts';
import { EDGE_VARIABLES } from '../../../service-kit/src/edge-variables.ts';
import { STOP_MS_MAX } from '../../../service-kit/src/service.ts';
import {
  compose,
  composeText,
  containers,
  instructions,
  readDocker,
  readStages,
  variablesOf,
} from './compose-file.ts';

const PROCESSES = {
  'data-api': readDataApiConfig,
  'data-worker': readDataWorkerConfig,
  facets: readFacetsConfig,
  'access-api': readAccessConfig,
  worker: readWorkerConfig,
  admin: readAdminConfig,
} as const;
const DEPLOYABLES = [
  'data-api',
  'data-worker',
  'facets',
  'access-api',
  'worker',
  'migrate',
  'ingest',
  'demo',
];

/** Set by the image, a name per process, or only for a local stack or tests. */
const NOT_COMPOSE =
  /_HOST$|_PORT$|^(?:LOCAL_DIR|MAIL_DIR|OUTBOUND_TEST_ADDRESS|OTEL_SERVICE_NAME)$/;
/** Read if the URL of the process's own role is not set. */
const OTHER_URLS = /^DATABASE_URL$/;

const stages = readStages();
const interpolated = [...composeText.matchAll(/\$\{(\w+)(:[?+-])?/g)].map(
  ([, name = '', rest]) => ({
    name,
    isRequired: rest === ':?',
  }),
);
const example = readDocker('.env.example');
const exampleNames = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);

describe('docker/Dockerfile', () => {
  test.each(DEPLOYABLES)(
    'builds %s, which runs a file of the workspace without a shell',
    (name) => {
      const lines = instructions(stages, name);
      const exec = ['ENTRYPOINT', 'CMD'].flatMap((word) => {
        const line = lines.find((each) => each.startsWith(`${word} `));
        return line === undefined ? [] : (JSON.parse(line.slice(word.length)) as string[]);
      });
      expect(exec[0]).toBe('/usr/local/bin/node');
      const path = exec.find((part) => part.endsWith('.js')) ?? '';
      // An absolute path, because a container may set another working directory.
      expect(path).toMatch(/^\/app\//);
      const program = path.slice('/app/'.length);
      const source = program.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      expect(existsSync(join(repositoryRoot, source))).toBe(true);
      const from = lines.map((line) => /--from=(deploy-\S+) \/out/.exec(line)?.[1]).find(Boolean);
      const folder = program.split('/').slice(0, 2).join('/');
      expect(instructions(stages, from ?? '').join('\n')).toContain(`deploy.sh ${folder}`);
    },
  );

  test.each(DEPLOYABLES)('gives %s an unprivileged numeric user and production mode', (name) => {
    const lines = instructions(stages, name);
    expect(lines.find((line) => line.startsWith('USER '))).toMatch(/^USER [1-9]\d+:[1-9]\d+$/);
    expect(lines.join('\n')).toMatch(/NODE_ENV=production[\s\S]*STOPSIGNAL SIGTERM/);
  });

  test.each(Object.entries(PROCESSES).filter(([name]) => DEPLOYABLES.includes(name)))(
    'checks the health of %s on its internal port and lets it listen in its container',
    (name, readConfig) => {
      const text = instructions(stages, name).join('\n');
      expect(text).toContain('HEALTHCHECK');
      const [, variable = '', port] = /HEALTH_PORT=(\w+):(\d+)/.exec(text) ?? [];
      const variables = variablesOf(readConfig);
      expect(variables).toContain(variable);
      expect(text).toMatch(new RegExp(`^EXPOSE .*\\b${port}$`, 'm'));
      const hosts = variables.filter((each) => each.endsWith('_HOST'));
      expect(hosts.filter((host) => !text.includes(`${host}=0.0.0.0`))).toEqual([]);
    },
  );

  test('needs no frontend from a registry, and pins pnpm where package.json does', () => {
    const text = readDocker('Dockerfile');
    expect(text).not.toMatch(/^# *syntax=/m);
    expect(text).not.toMatch(/pnpm@\d/);
    expect(text).toMatch(/^ARG NODE_IMAGE=node:24-/m);
  });
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

  test.each(['data-api', 'data-worker', 'facets', 'access-api', 'worker'])(
    'starts %s after the stores',
    (name) => {
      const container = compose.services[name];
      expect(container?.depends_on).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      });
      expect(container?.restart).toBe('unless-stopped');
      expect(container?.build?.args.DEPLOYABLE).toBe(name);
      // The default of DRAIN_MS, and the bound of docs/configuration.md#shutdown.
      const seconds = Number(/:-(\d+)s/.exec(container?.stop_grace_period ?? '')?.[1]);
      expect(seconds).toBeGreaterThanOrEqual(
        EDGE_VARIABLES.DRAIN_MS.default / 1_000 + STOP_MS_MAX / 1_000,
      );
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

  test.each(['admin', 'matching'])('runs the command %s from an image of a process', (name) => {
    const container = compose.services[name];
    const program =
      container?.entrypoint?.at(-1)?.replace('/app/', '').replace('/dist/', '/src/') ?? '';
    expect(existsSync(join(repositoryRoot, program.replace(/\.js$/, '.ts')))).toBe(true);
    expect(container?.healthcheck).toEqual({ disable: true });
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
    expect(parse(readDocker('observe/facets.yml'))).toEqual([{ targets: ['facets:9084'] }]);
  });

  test('scrapes the facet process only where data-api calls it', () => {
    const volumes = compose.services.prometheus?.volumes ?? [];
    const [, target] = /observe\/facets\.yml:(\S+):ro/.exec(volumes.join('\n')) ?? [];
    expect(target).toBe(`/etc/prometheus/facets\${FACETS_URL:+.targets}.yml`);
    expect(readDocker('observe/prometheus.yml')).toContain('files: ["*.targets.yml"]');
  });
});
