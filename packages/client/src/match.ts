import type { components } from './generated/schema.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

type Match = components['schemas']['Calls']['/companies/match'];
/** A company to find; `ref` is your own name of it. */
export type MatchItem = Match['body'][number];
export type MatchResult = Match['result'][number];

/** Items of one call. */
const ITEMS_MAX = 100;

type Post = (
  items: readonly MatchItem[],
  options?: CallOptions,
) => Promise<ApiResponse<readonly MatchResult[]>>;

/** The results of any number of items in their order, one call for a hundred of them. */
export async function* matched(
  post: Post,
  items: Iterable<MatchItem> | AsyncIterable<MatchItem>,
  options?: Pick<CallOptions, 'signal' | 'creditsMax'>,
): AsyncGenerator<MatchResult, void> {
  let batch: MatchItem[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < ITEMS_MAX) continue;
    yield* (await post(batch, options)).data;
    batch = [];
  }
  if (batch.length > 0) yield* (await post(batch, options)).data;
}
