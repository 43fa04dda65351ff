import { databaseUrl } from '@vcds/migrate';
import pg from 'pg';
import { product } from '../stack/product.ts';
import { StackError } from '../stack/stack-error.ts';

/** The URL of the owner of a schema. */
export function ownerUrl(schema: string, environment: NodeJS.ProcessEnv): string {
  const service = product.schemas.find((each) => each.schema === schema);
  const url = service && databaseUrl(service, environment);
  if (!url) throw new StackError('No database. Set DATABASE_URL and MIGRATION_DATABASE_URL.');
  return url;
}

/** Connects to PostgreSQL. @throws Error of the driver. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
