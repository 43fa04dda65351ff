import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@vcds/local-stack';
import { parse } from 'yaml';

/** A service of docker/compose.yaml, without the parts that no test reads. */
export interface Container {
  readonly image: string;
  readonly pull_policy?: string;
  readonly build?: { readonly args: Readonly<Record<string, string>> };
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart: string;
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly logging: { readonly options: Readonly<Record<string, string>> };
  readonly deploy: { readonly resources: { readonly limits: Readonly<Record<string, unknown>> } };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

export const readDocker = (name: string): string =>
  readFileSync(join(repositoryRoot, 'docker', name), 'utf8');

export const composeText = readDocker('compose.yaml');
export const compose: ComposeFile = parse(composeText, {
  merge: true,
  maxAliasCount: -1,
});
export const containers = Object.entries(compose.services);

/** The variables that a process reads, found by an environment that records each access. */
export function variablesOf(readConfig: (environment: NodeJS.ProcessEnv) => unknown): string[] {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_, name) => {
        if (typeof name === 'string') names.add(name);
        return undefined;
      },
    },
  );
  try {
    readConfig(environment);
  } catch {
    // No variable is set: it lists those that are required.
  }
  return [...names].sort();
}
