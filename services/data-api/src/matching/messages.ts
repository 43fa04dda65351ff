import type { RankedHit, RankRequest, Reason } from './ranker.ts';

/** The data of a thread that ranks. */
export interface RankerThreadData {
  readonly connectionString: string;
}

export type RankerQuestion = { readonly request: RankRequest } & (
  | { readonly kind: 'rank' }
  | { readonly kind: 'explain'; readonly hits: readonly RankedHit[] }
);

export type RankerAnswer =
  | { readonly kind: 'rank'; readonly result: readonly RankedHit[] | null }
  | { readonly kind: 'explain'; readonly result: readonly Reason[][] };
