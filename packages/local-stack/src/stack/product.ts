import { join } from 'node:path';
import { type ServiceSchema, serviceSchemas } from '@vcds/migrate';
import { repositoryRoot } from '../state.ts';
import type { PortName } from './settings.ts';

/** A process of the product. */
export interface ServiceSpec {
  readonly name: string;
  /** Absolute path of its built entry. */
  readonly entry: string;
  /** Where it answers `/ready`. */
  readonly internalPort: PortName;
  /** Whether what it prints beside its log is meant for the person at the console. */
  readonly speaks?: boolean;
}

/** What a local stack runs. */
export interface Product {
  /** In the order they are started; stopped in the opposite one. */
  readonly services: readonly ServiceSpec[];
  readonly schemas: readonly ServiceSchema[];
  /** Writes the invented world through the importer; its progress is on standard error. */
  readonly demoCommand: string;
  /** The operator's command; `demo-key` prints `{"api_key": …}`. */
  readonly adminCommand: string;
  /** Absolute path and arguments of the compiler that watches the sources, for `npm run dev`. */
  readonly compiler: readonly string[];
}

const built = (path: string) => join(repositoryRoot, 'services', path);

/** Venture Capital Data Service. */
export const product: Product = {
  services: [
    {
      name: 'access-api',
      entry: built('access-api/dist/main.js'),
      internalPort: 'accessApiInternal',
    },
    { name: 'data-api', entry: built('data-api/dist/main.js'), internalPort: 'dataApiInternal' },
    {
      name: 'worker',
      entry: built('access-api/dist/worker-main.js'),
      internalPort: 'workerInternal',
      speaks: true,
    },
  ],
  schemas: serviceSchemas,
  demoCommand: built('data-api/dist/demo/cli.js'),
  adminCommand: built('access-api/dist/admin/cli.js'),
  compiler: [
    join(repositoryRoot, 'node_modules/typescript/bin/tsc'),
    ...['--build', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
  ],
};
