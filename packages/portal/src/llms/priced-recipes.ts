import { maximumPrice } from './prices.ts';
import { RECIPES } from './recipes.ts';

/** The calls of all recipes, each with the most that it costs, in credits. */
export const PRICED_CALLS = RECIPES.flatMap(({ calls }) =>
  calls.map((call) => ({ call, credits: maximumPrice(call) })),
);
