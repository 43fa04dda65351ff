import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';

export const OVERLAYS = ['development', 'staging', 'production'] as const;
/** Those that run outside a developer's machine. */
export const HOSTED = ['staging', 'production'] as const;
export type Overlay = (typeof OVERLAYS)[number];

export const KUBERNETES_FOLDER = join(repositoryRoot, 'infra/kubernetes');

/** An object of Kubernetes as it would be applied. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
}

/** A template of pods: the Deployment, StatefulSet, Job or CronJob that has it, and its parts. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: IPodSpec;
  readonly container: IContainer;
  /** Also those that run before it. */
  readonly containers: readonly IContainer[];
}

const RENDERERS = [
  ['kubectl', ['kustomize']],
  ['kustomize', ['build']],
] as const;

/**
 * Tests of rendered manifests. Where neither kubectl nor kustomize is on PATH, one test is reported as
 * skipped under this name. The runners of GitHub have kubectl, so there a missing program is a failure.
 */
export function describeWithKustomize(
  name: string,
  define: (
    manifestsOf: (overlay: Overlay, ...components: readonly string[]) => readonly Manifest[],
  ) => void,
): void {
  const renderer = RENDERERS.find(
    ([program]) => spawnSync(program, ['version', '--client']).error === undefined,
  );
  describe(name, () => {
    if (renderer === undefined && process.env.GITHUB_ACTIONS === undefined) {
      test.skip('needs kubectl or kustomize on PATH', () => undefined);
      return;
    }
    const [program, args] = renderer ?? RENDERERS[0];
    const rendered = new Map<string, readonly Manifest[]>();
    define((overlay, ...components) => {
      const id = [overlay, ...components].join();
      const known = rendered.get(id);
      if (known !== undefined) return known;
      const text = inFolderOf(overlay, components, (folder) =>
        execFileSync(program, [...args, folder], { encoding: 'utf8' }),
      );
      const manifests = parseManifests(text);
      rendered.set(id, manifests);
      return manifests;
    });
  });
}

/** Calls `render` with the folder of an overlay; with one that adds `components`, if there are any. */
function inFolderOf(
  overlay: Overlay,
  components: readonly string[],
  render: (folder: string) => string,
): string {
  const folder = join(KUBERNETES_FOLDER, 'overlays', overlay);
  if (components.length === 0) return render(folder);
  const extended = realpathSync(mkdtempSync(join(tmpdir(), 'vcds-overlay-')));
  const pathOf = (target: string) => relative(extended, target);
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: `vcds-${overlay}`,
    resources: [pathOf(folder)],
    components: components.map((name) => pathOf(join(KUBERNETES_FOLDER, 'components', name))),
  };
  try {
    writeFileSync(join(extended, 'kustomization.yaml'), JSON.stringify(kustomization));
    return render(extended);
  } finally {
    rmSync(extended, { recursive: true });
  }
}

/** The objects of a YAML text, read as Kubernetes reads it: YAML 1.1, where `on` is true. */
export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text, { version: '1.1', strict: true }).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS() as Manifest;
  });
}

/** The objects of one kind. `T` is its type in kubernetes-models. */
export function ofKind<T>(manifests: readonly Manifest[], kind: string): readonly (Manifest & T)[] {
  return manifests.filter((manifest) => manifest.kind === kind) as (Manifest & T)[];
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: IPodSpec;
}

export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return manifests.flatMap((manifest) => {
    const template = templateOf(manifest);
    const container = template?.spec.containers[0];
    if (template === undefined || container === undefined) return [];
    const { kind, metadata } = manifest;
    const { spec } = template;
    const { labels } = template.metadata;
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    return [{ kind, name: metadata.name, labels, spec, container, containers }];
  });
}

function templateOf({ spec }: Manifest): PodTemplate | undefined {
  const { template, jobTemplate } = (spec ?? {}) as {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
  return jobTemplate?.spec.template ?? (template?.spec === undefined ? undefined : template);
}
