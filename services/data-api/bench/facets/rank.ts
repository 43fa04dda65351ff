import type { Random } from '@vcds/demo-data/random';

/**
 * One of the first `count` numbers, the small ones most often: with skew 1, number n about
 * 1 / (n + 1) times as often as 0 (Zipf's law); a higher skew prefers small numbers more.
 */
export function rank(random: Random, count: number, skew = 1): number {
  return Math.min(Math.floor((count + 1) ** (random.unit() ** skew)) - 1, count - 1);
}
