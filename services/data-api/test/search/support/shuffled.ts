import type { Random } from '@vcds/demo-data/random';

/** The items in random order. */
export const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, key: random.unit() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
