import type { RankedHit, RankRequest } from './ranker.ts';

/** The data of a thread that ranks. */
export interface RankerThreadData {
  readonly connectionString: string;
}

export interface ToRankerThread {
  readonly id: number;
  readonly request: RankRequest;
}

/** First the version that was loaded, null if there is none; then a response to every request. */
export type FromRankerThread =
  | { readonly kind: 'loaded'; readonly version: string | null }
  | { readonly kind: 'ranked'; readonly id: number; readonly hits: readonly RankedHit[] | null }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
