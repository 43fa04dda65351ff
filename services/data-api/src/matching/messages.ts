import type { RankedHit, RankRequest, Reason } from './ranker.ts';

/** The data of a thread that ranks. */
export interface RankerThreadData {
  readonly connectionString: string;
}

export type ToRankerThread = { readonly id: number; readonly request: RankRequest } & (
  | { readonly kind: 'rank' }
  | { readonly kind: 'explain'; readonly hits: readonly RankedHit[] }
);

/** First the version that was loaded, null if there is none; then a response to every request. */
export type FromRankerThread =
  | { readonly kind: 'loaded'; readonly version: string | null }
  | { readonly kind: 'rank'; readonly id: number; readonly result: readonly RankedHit[] | null }
  | { readonly kind: 'explain'; readonly id: number; readonly result: readonly Reason[][] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
