const REDIS = ['REDIS_URL', 'QUEUE_REDIS_URL'];
const DATA_API = ['DATABASE_URL', 'DATABASE_REPLICA_URL', 'DATABASE_DIRECT_URL'];
const LOGINS = ['DATABASE_URL', 'DATA_WORKER_DATABASE_URL', 'IMPORT_DATABASE_URL'];

/** The secrets that each process and command of a local stack reads; it receives no other. */
export const OWN_SECRETS = {
  'access-api': [
    ...['ACCESS_DATABASE_URL', ...REDIS, 'SERVICE_TOKEN_SECRET', 'CODE_SECRET'],
    ...['LEGACY_SIGNING_KEY', 'LEGACY_SIGNING_KEY_FILE'],
  ],
  'data-api': [...DATA_API, 'REDIS_URL', 'SERVICE_TOKEN_SECRET', 'CURSOR_SECRET', 'SNAPSHOT_URL'],
  worker: ['ACCESS_DATABASE_URL', ...REDIS, 'CODE_SECRET', 'SENDGRID_API_KEY'],
  'data-worker': ['DATA_WORKER_DATABASE_URL', ...REDIS, 'SNAPSHOT_URL'],
  admin: ['ACCESS_DATABASE_URL', 'REDIS_URL'],
  demo: ['IMPORT_DATABASE_URL'],
  index: ['DATA_WORKER_DATABASE_URL'],
  ingest: ['IMPORT_DATABASE_URL'],
  matching: ['DATA_WORKER_DATABASE_URL'],
  sandbox: ['MIGRATION_DATABASE_URL', 'SNAPSHOT_URL'],
  resolve: ['DATA_WORKER_DATABASE_URL'],
  snapshot: ['DATA_WORKER_DATABASE_URL', 'SNAPSHOT_URL'],
  migrate: [
    ...['MIGRATION_DATABASE_URL', 'ACCESS_MIGRATION_DATABASE_URL', 'ACCESS_DATABASE_URL'],
    ...LOGINS,
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Program = keyof typeof OWN_SECRETS;

const SECRETS: ReadonlySet<string> = new Set(Object.values(OWN_SECRETS).flat());

/** The commands that npm scripts run on a stack, by their files. */
const COMMANDS: Readonly<Record<string, Program>> = {
  'packages/migrate/dist/cli.js': 'migrate',
  'packages/importer/dist/cli.js': 'ingest',
  'packages/demo-data/dist/cli.js': 'demo',
  'services/data-api/dist/worker/train/cli.js': 'matching',
  'services/data-api/dist/worker/sandbox/cli.js': 'sandbox',
  'services/data-api/dist/worker/snapshots/cli.js': 'snapshot',
  'services/data-api/dist/worker/resolve/cli.js': 'resolve',
  'services/access-api/dist/admin/cli.js': 'admin',
};

/**
 * An environment without the secrets of other programs. The URL of a program's own role is
 * `DATABASE_URL` where it is not set, as the program would read it.
 */
export function ownEnvironment(program: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own: readonly string[] = isProgram(program) ? OWN_SECRETS[program] : [];
  const given = Object.entries(environment).filter(
    ([name]) => !SECRETS.has(name) || own.includes(name),
  );
  const { DATABASE_URL } = environment;
  if (DATABASE_URL === undefined || own.includes('DATABASE_URL')) return Object.fromEntries(given);
  const urls = own.filter((name) => name.endsWith('DATABASE_URL') && !environment[name]);
  return Object.fromEntries([...given, ...urls.map((name) => [name, DATABASE_URL] as const)]);
}

/** As {@link ownEnvironment}, for the file of a command; that of another file is unchanged. */
export function commandsOwn(file: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const program = COMMANDS[file];
  return program === undefined ? environment : ownEnvironment(program, environment);
}

function isProgram(name: string): name is Program {
  return Object.hasOwn(OWN_SECRETS, name);
}
