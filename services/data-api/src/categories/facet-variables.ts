import { secretsVariable } from '@vcds/credentials';
import { POSTGRES_SCHEMES, urlVariable, type Variables } from '@vcds/service-kit';

/** Variables of a process that loads the columnar engine or calls the process that does. */
export const FACET_VARIABLES = {
  SERVICE_TOKEN_SECRET: secretsVariable('signs calls between the services'),
  DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL', { required: true }),
  DATABASE_DIRECT_URL: urlVariable(
    POSTGRES_SCHEMES,
    'PostgreSQL for background jobs, if DATABASE_URL leads to a connection pooler',
    {},
  ),
  FACET_MEMORY_MB: {
    type: 'integer',
    description: 'most megabytes of the columnar engine; beyond it the database counts',
    default: 2_048,
    minimum: 1,
    maximum: 1_048_576,
  },
} as const satisfies Variables;
