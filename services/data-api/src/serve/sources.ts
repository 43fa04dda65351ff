import type { ActivitySources } from '../activity/read-activity.ts';
import type { CategorySources } from '../categories/execute.ts';
import type { FindSources } from '../find/look-up.ts';
import type { MatchingSources } from '../matching/execute.ts';
import type { FeedSources } from '../signals/read-signals.ts';
import type { SnapshotSources } from '../snapshots/read-snapshots.ts';
import type { Cursors } from './cursors.ts';

/** The dependencies of execution. */
export interface Sources
  extends FeedSources,
    ActivitySources,
    Pick<SnapshotSources, 'snapshots'>,
    Omit<FindSources, 'database'>,
    Omit<MatchingSources, 'database'> {
  readonly cursors: Cursors;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
  readonly categories: CategorySources;
}
