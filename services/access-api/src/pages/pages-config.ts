import type { Variables } from '@vcds/service-kit';

/** The variables of the account area. */
export const ACCOUNT_AREA_VARIABLES = {
  SUPPORT_EMAIL: {
    type: 'string',
    pattern: '^[^\\s@<>"\'&?]+@[^\\s@<>"\'&?]+$',
    expected: 'an email address',
    description: 'contact address for more credits',
  },
} as const satisfies Variables;
