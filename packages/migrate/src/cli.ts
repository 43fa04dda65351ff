#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { applyMigrations, type MigrationTarget, resolveMigration } from './apply.ts';
import { MigrationError } from './errors.ts';
import { rolePasswords } from './passwords.ts';
import { databaseUrl, type ServiceSchema, serviceSchemas } from './services.ts';

const USAGE = `migrate [data-api|access-api] [--logins | --applied NAME | --rolled-back NAME]

Applies the pending migrations of both services, or of the named one, and grants privileges to
the roles of the services.
  MIGRATION_DATABASE_URL         PostgreSQL of data-api as the owner of schema "venture";
                                 default: DATABASE_URL
  ACCESS_MIGRATION_DATABASE_URL  PostgreSQL of access-api as the owner of schema "access";
                                 default: ACCESS_DATABASE_URL, then the one of data-api
  --logins                       lets the roles log in with the passwords in DATABASE_URL,
                                 IMPORT_DATABASE_URL, DATA_WORKER_DATABASE_URL and
                                 ACCESS_DATABASE_URL; the owner must be allowed to alter roles
  --applied NAME                 records a failed migration of the named service as done by hand
  --rolled-back NAME             records a failed migration of the named service as rolled back,
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
    for (const service of services) {
      const target = targetOf(service, values.logins);
      if (values.applied !== undefined || values['rolled-back'] !== undefined) {
        if (positionals.length !== 1) throw new UsageError('Name the service of the migration.');
        await resolve(target, values);
      } else {
        await apply(service, target);
      }
    }
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

function targetOf(service: ServiceSchema, logins: boolean): MigrationTarget {
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
  return { connectionString, schema, migrationsDir, privileges };
}

async function apply({ service, schema }: ServiceSchema, target: MigrationTarget): Promise<void> {
  const { applied, edited, missingRoles } = await applyMigrations(target);
  for (const name of applied) process.stdout.write(`${service}: applied ${name}\n`);
  if (applied.length === 0) process.stdout.write(`${service}: ${schema} is up to date\n`);
  for (const name of edited) {
    process.stderr.write(`${service}: ${name} was edited after it had been applied here\n`);
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
