import { urlVariable, type Variables } from '@vcds/service-kit';
import { SNAPSHOT_SCHEMES } from './snapshot-store.ts';

/** The variable of the store of snapshots, of the service and of the data worker. */
export const SNAPSHOT_VARIABLES = {
  SNAPSHOT_URL: urlVariable(
    SNAPSHOT_SCHEMES,
    'where snapshots are kept: file:///FOLDER or s3://BUCKET/PREFIX; without it there are none',
    {},
  ),
} as const satisfies Variables;
