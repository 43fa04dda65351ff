import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@vcds/local-stack';
import { findMetrics, type Metric } from './find-metrics.ts';

/** The metrics that the sources of all packages and services register. */
export const registeredMetrics: readonly Metric[] = sourceFiles().flatMap((file) => {
  const source = readFileSync(file, 'utf8');
  return source.includes("from 'prom-client'") ? findMetrics(source) : [];
});

/** The names of the series of a metric. */
export function seriesOf({ kind, name }: Pick<Metric, 'kind' | 'name'>): readonly string[] {
  return kind === 'Histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
}

/** The TypeScript files of all packages and services, without tests and benchmarks. */
function sourceFiles(): string[] {
  return ['packages', 'services']
    .flatMap((group) => readdirSync(join(repositoryRoot, group)).map((name) => join(group, name)))
    .flatMap((folder) => filesIn(join(repositoryRoot, folder, 'src'), '.ts'));
}

/** The files of a folder with an ending, without generated ones; none if there is no folder. */
export function filesIn(folder: string, ending: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending) && !name.includes('generated'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
