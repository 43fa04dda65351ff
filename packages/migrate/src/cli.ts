#!/usr/bin/env node
import { parseArgs } from 'node:util';
import {
  applyMigrations,
  checkMigrations,
  type MigrationTarget,
  resolveMigration,
} from './apply.ts';
import { MigrationError } from './errors.ts';
import { rolePasswords } from './passwords.ts';
import { databaseUrl, type ServiceSchema, serviceSchemas } from './services.ts';

const USAGE = `migrate [data-api|access-api] [--logins | --applied NAME | --rolled-back NAME]

Applies the pending migrations of both services, or of the named one, and grants privileges to
the roles of the services. Changes nothing if an applied migration was edited or is missing here,
or if the database belongs to a later version, with which this one works.
  MIGRATION_DATABASE_URL         PostgreSQL of data-api as the owner of schema "venture";
                                 default: DATABASE_URL
  ACCESS_MIGRATION_DATABASE_URL  PostgreSQL of access-api as the owner of schema "access";
                                 default: ACCESS_DATABASE_URL, then the one of data-api
  --logins                       lets the roles log in with the passwords in DATABASE_URL,
                                 IMPORT_DATABASE_URL, DATA_WORKER_DATABASE_URL and
                                 ACCESS_DATABASE_URL; the owner must be allowed to alter roles
  --applied NAME                 records an unfinished migration of the named service as done by hand
  --rolled-back NAME             records an unfinished migration of the named service as rolled back,
                                 so that the next run applies it again
`;

class UsageError extends Error {}

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        logins: { type: 'boolean', default: false },
        applied: { type: 'string' },
        'rolled-back': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      return 0;
    }
    const services = chosenServices(positionals);
    const targets = services.map((service) => targetOf(service, values.logins));
    if (values.applied !== undefined || values['rolled-back'] !== undefined) {
      const [target] = targets;
      if (positionals.length !== 1 || target === undefined) {
        throw new UsageError('Name the service of the migration.');
      }
      await resolve(target, values);
      return 0;
    }
    // Of all, before anything changes in one.
    for (const target of targets) await checkMigrations(target);
    for (const target of targets) await apply(target);
    return 0;
  } catch (error) {
    return report(error);
  }
}

function chosenServices(names: readonly string[]): readonly ServiceSchema[] {
  const unknown = names.find((name) => !serviceSchemas.some(({ service }) => service === name));
  if (unknown !== undefined) {
    const list = serviceSchemas.map(({ service }) => service).join(' and ');
    throw new UsageError(`Unknown service "${unknown}". The services with migrations are ${list}.`);
  }
  return serviceSchemas.filter(({ service }) => names.length === 0 || names.includes(service));
}

function targetOf(
  service: ServiceSchema,
  logins: boolean,
): MigrationTarget & Pick<ServiceSchema, 'service'> {
  const connectionString = databaseUrl(service, process.env);
  if (connectionString === undefined) {
    const variables = service.databaseVariables.join(' or ');
    throw new UsageError(
      `${variables} is not set. Set it to the PostgreSQL URL of ${service.service}.`,
    );
  }
  const { schema, migrationsDir } = service;
  const privileges = logins
    ? { ...service.privileges, passwords: rolePasswords(process.env) }
    : service.privileges;
  return { service: service.service, connectionString, schema, migrationsDir, privileges };
}

async function apply(target: MigrationTarget & Pick<ServiceSchema, 'service'>): Promise<void> {
  const { service, schema } = target;
  const { applied, later, missingRoles } = await applyMigrations(target);
  for (const name of applied) process.stdout.write(`${service}: applied ${name}\n`);
  if (later.length > 0) {
    process.stdout.write(
      `${service}: ${schema} belongs to a later version (${later.join(', ')}); nothing to do\n`,
    );
  } else if (applied.length === 0) {
    process.stdout.write(`${service}: ${schema} is up to date\n`);
  }
  if (missingRoles.length > 0) {
    process.stderr.write(
      `${service}: no privileges granted: this connection may not create the missing roles ` +
        `${missingRoles.join(', ')}; create them (CREATE ROLE … NOLOGIN) and run this again\n`,
    );
  }
}

async function resolve(
  target: MigrationTarget,
  values: { readonly applied?: string | undefined; readonly 'rolled-back'?: string | undefined },
): Promise<void> {
  for (const as of ['applied', 'rolled-back'] as const) {
    const name = values[as];
    if (name === undefined) continue;
    await resolveMigration(target, name, as);
    process.stdout.write(`${name} is recorded as ${as}\n`);
  }
}

function report(error: unknown): number {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) {
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (!(error instanceof MigrationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 1;
}
