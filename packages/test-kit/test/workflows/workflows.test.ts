import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { parse } from 'yaml';
import { testFolder } from '../../src/test-folder.ts';
import { filesOf } from '../docs/repository.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix?: Readonly<Record<string, unknown>> };
  readonly needs?: readonly string[];
  readonly environment?: string;
  /** The workflow whose jobs it runs, in place of steps. */
  readonly uses?: string;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Newer than the linter: the image of the runner, and a permission. */
const UNKNOWN_TO_LINTER =
  /label "ubuntu-24\.04(?:-arm)?" is unknown|permission scope "attestations"/;

const PUBLISHER = {
  contents: 'read',
  packages: 'write',
  'id-token': 'write',
  attestations: 'write',
};
/** The jobs that may change something, and what. */
const WRITERS = { push: PUBLISHER, publish: PUBLISHER };
const RUNNERS = ['ubuntu-24.04', 'ubuntu-24.04-arm'];

const files = filesOf('.yml').filter((file) => file.startsWith('.github/'));
const texts = files.map(
  (file) => [file, readFileSync(join(repositoryRoot, file), 'utf8')] as const,
);
const workflows = texts.filter(([file]) => file.startsWith('.github/workflows/'));
const parsed = new Map(workflows.map(([file, text]) => [file, parse(text) as Workflow]));
const jobs = [...parsed.values()].flatMap((workflow) => Object.entries(workflow.jobs));
const actions = texts
  .filter(([file]) => file.startsWith('.github/actions/'))
  .map(([, text]) => parse(text) as { runs: { steps: readonly Step[] } });
const steps = [
  ...jobs.flatMap(([, job]) => job.steps ?? []),
  ...actions.flatMap(({ runs }) => runs.steps),
];

describe('the workflows', () => {
  test('are valid', async () => {
    const folder = await testFolder();
    const invalid = join(folder, 'invalid.yml');
    writeFileSync(invalid, 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    setps: []\n');
    const errors = lint([...workflows.map(([file]) => file), invalid]);
    expect(errors.map(({ file }) => file)).toEqual([invalid, invalid]);
  });

  test('pin every action by the sum of a commit, and name its version', () => {
    const uses = texts.flatMap(([, text]) => [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)]);
    const pinned = /^(?:\.\/[\w./-]+|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
    expect(uses.length).toBeGreaterThan(10);
    expect(uses.map(([, target = '']) => target).filter((target) => !pinned.test(target))).toEqual(
      [],
    );
    // One commit of an action in all workflows.
    const commits = new Map(uses.map(([, target = '']) => [target.split('@')[0], target]));
    expect(uses.filter(([, target = '']) => commits.get(target.split('@')[0]) !== target)).toEqual(
      [],
    );
  });

  test('give no permission by default, and only a publishing job may write', () => {
    for (const workflow of parsed.values()) expect(workflow.permissions).toEqual({});
    const writers = jobs.filter(([, { permissions }]) =>
      Object.values(permissions ?? { all: 'write' }).includes('write'),
    );
    expect(
      Object.fromEntries(writers.map(([name, { permissions }]) => [name, permissions])),
    ).toEqual(WRITERS);
  });

  test('end in time, and leave no token in the work tree', () => {
    const own = jobs.filter(([, { uses }]) => uses === undefined);
    expect(own.filter(([, job]) => job['timeout-minutes'] === undefined)).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(5);
    for (const checkout of checkouts) expect(checkout.with?.['persist-credentials']).toBe(false);
  });

  test('insert no expression into a script', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  test('run on every supported version of Node, PostgreSQL and Redis', () => {
    const matrixOf = (name: string) => jobs.find(([job]) => job === name)?.[1].strategy?.matrix;
    const stores = matrixOf('stores')?.include as readonly Readonly<Record<string, unknown>>[];
    expect(matrixOf('test')).toEqual({ node: [20, 22, 24] });
    expect(stores.map(({ postgres }) => postgres)).toEqual([15, 16, 17, 18]);
    expect(new Set(stores.map(({ redis }) => String(redis).replace(/\.\d+$/, '')))).toEqual(
      new Set(['redis:7', 'redis:8', 'valkey/valkey:8']),
    );
  });

  test('build and publish the images that the manifests use', () => {
    const overlay = parse(
      readFileSync(
        join(repositoryRoot, 'infra/kubernetes/overlays/production/kustomization.yaml'),
        'utf8',
      ),
    ) as { images: readonly { name: string }[] };
    const used = overlay.images.map(({ name }) => name.replace('vcds/', ''));
    const matrixOf = (name: string) => jobs.find(([job]) => job === name)?.[1].strategy?.matrix;
    for (const name of ['build', 'push']) {
      expect(matrixOf(name)).toEqual({ runner: RUNNERS, deployable: used });
    }
    expect(matrixOf('smoke')).toEqual({ runner: RUNNERS });
    expect(matrixOf('publish')).toEqual({ deployable: used });
  });
});

test('a release is published only after all jobs passed for its commit, and by a person', () => {
  const { jobs: images = {} } = parsed.get('.github/workflows/images.yml') ?? {};
  const { push, publish, ...others } = images;
  expect(push?.needs).toEqual(['build', 'smoke', 'cluster', 'checks']);
  expect(publish?.needs).toEqual(['push']);
  expect(Object.keys(others).sort()).toEqual([...(push?.needs ?? [])].sort());
  expect(push?.environment).toBe('release');
  expect(others.checks?.uses).toBe('./.github/workflows/ci.yml');
  // A job that a tag skips would let it pass.
  const skipped = Object.entries(others).filter(([, job]) =>
    /ref_type != 'tag'/.test(job.if ?? ''),
  );
  expect(skipped).toEqual([]);
});

interface LintError {
  readonly file: string;
  readonly message: string;
}

function lint(paths: readonly string[]): readonly LintError[] {
  const program = join(repositoryRoot, 'packages/test-kit/test/fixtures/lint-workflows.mjs');
  const output = execFileSync(process.execPath, [program, ...paths], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  const errors = JSON.parse(output) as LintError[];
  return errors.filter(({ message }) => !UNKNOWN_TO_LINTER.test(message));
}
