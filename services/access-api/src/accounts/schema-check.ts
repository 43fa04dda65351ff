import { createSchemaCheck, NotServingError } from '@vcds/service-kit';
import type { Database } from './database.ts';

/** @throws Error unless every migration of this build is applied, from the text that it has. */
export const schemaCheck = createSchemaCheck({
  schema: 'access',
  migrations: new URL('../../prisma/migrations', import.meta.url),
});

/**
 * Passes while the database does not respond: keys are checked in Redis meanwhile.
 * @throws NotServingError if it responds and lacks a migration of this build.
 */
export async function assertSchema(database: Database): Promise<void> {
  try {
    await schemaCheck((text) => database.$queryRawUnsafe<unknown[]>(text));
  } catch (error) {
    if (error instanceof NotServingError) throw error;
  }
}
