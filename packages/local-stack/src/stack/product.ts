import { join } from 'node:path';
import { type ServiceSchema, serviceSchemas } from '@vcds/migrate';
import { repositoryRoot } from '../state.ts';
import type { PortName } from './settings.ts';

/** A process of the product. */
export interface ServiceSpec {
  readonly name: string;
  /** Absolute path of its built main file. */
  readonly entry: string;
  /** Options of Node before it. */
  readonly nodeOptions?: readonly string[];
  /** The port of `/ready`. */
  readonly internalPort: PortName;
  /** Show the lines that it prints in addition to its log, such as codes of emails. */
  readonly printsMessages?: boolean;
  /** A sandbox has none: its data changes only by its script. */
  readonly isOfRecords?: boolean;
}

/** The parts of a local stack. */
export interface Product {
  /** In the order of their start; stopped in reverse. */
  readonly services: readonly ServiceSpec[];
  readonly schemas: readonly ServiceSchema[];
  /** Imports the demonstration data; prints its progress on standard error. */
  readonly demoCommand: string;
  /** Indexes the imported records, so that the first requests find them counted. */
  readonly indexCommand?: string;
  /** Builds the databases of the sandbox; prints its progress on standard error. */
  readonly sandboxCommand?: string;
  /** The operator's command; `demo-key` prints `{"api_key": …}`. */
  readonly adminCommand: string;
  /** Absolute path and arguments of the compiler that watches the sources, for `npm run dev`. */
  readonly compiler: readonly string[];
}

/** The default of 16 MB lets an idle process keep 30 MB of freed memory. Also in docker/Dockerfile. */
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=2'];

const built = (path: string) => join(repositoryRoot, 'services', path);

/** The Venture Capital Data Service. */
export const product: Product = {
  services: [
    {
      name: 'access-api',
      entry: built('access-api/dist/main.js'),
      nodeOptions: SMALL_YOUNG_GENERATION,
      internalPort: 'accessApiInternal',
    },
    {
      name: 'data-api',
      entry: built('data-api/dist/main.js'),
      nodeOptions: SMALL_YOUNG_GENERATION,
      internalPort: 'dataApiInternal',
    },
    {
      name: 'worker',
      entry: built('access-api/dist/worker-main.js'),
      nodeOptions: SMALL_YOUNG_GENERATION,
      internalPort: 'workerInternal',
      printsMessages: true,
    },
    {
      name: 'data-worker',
      entry: built('data-api/dist/worker/worker-main.js'),
      isOfRecords: true,
      nodeOptions: SMALL_YOUNG_GENERATION,
      internalPort: 'dataWorkerInternal',
    },
  ],
  schemas: serviceSchemas,
  demoCommand: join(repositoryRoot, 'packages/demo-data/dist/cli.js'),
  indexCommand: built('data-api/dist/worker/index-facets/catch-up-cli.js'),
  sandboxCommand: built('data-api/dist/worker/sandbox/cli.js'),
  adminCommand: built('access-api/dist/admin/cli.js'),
  compiler: [join(repositoryRoot, 'packages/local-stack/bin/watch.mjs')],
};
