import type { Variables } from '@vcds/service-kit';

/** What both access-api and the mail worker need to know of registrations. */
export const CODE_SECRET_VARIABLES = {
  CODE_SECRET: {
    type: 'string',
    required: true,
    minLength: 32,
    description: 'protects codes, links and addresses of registrations',
  },
} as const satisfies Variables;
