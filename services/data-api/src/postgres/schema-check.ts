import { createSchemaCheck } from '@vcds/service-kit';

/** @throws Error unless every migration of this build is applied, from the text that it has. */
export const schemaCheck = createSchemaCheck({
  schema: 'venture',
  migrations: new URL('../../prisma/migrations', import.meta.url),
});
