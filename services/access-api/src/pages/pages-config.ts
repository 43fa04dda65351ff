import type { Variables } from '@vcds/service-kit';

/** What the account area needs to be told. */
export const ACCOUNT_AREA_VARIABLES = {
  SUPPORT_EMAIL: {
    type: 'string',
    pattern: '^[^\\s@<>"\'&?]+@[^\\s@<>"\'&?]+$',
    expected: 'an e-mail address',
    description: 'whom people write to for more credits',
  },
} as const satisfies Variables;
