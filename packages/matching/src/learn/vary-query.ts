import type { Query } from '../history/data.ts';
import { type Question, roundSought } from '../history/questions.ts';
import type { Random } from '../history/random.ts';
import type { Timeline } from '../history/timeline.ts';

/** How often a variant has each property. */
const KEPT = 0.6;

/**
 * The query of a question as a caller may state it: with the stage and amount sought, and for a
 * company without investors as criteria of which some are left out.
 */
export function varyQuery(timeline: Timeline, question: Question, random: Random): Query {
  const { stage, amountUsd } = roundSought(timeline, question);
  const keeps = () => random.unit() < KEPT;
  const sought = {
    ...(keeps() && { stage }),
    ...(keeps() && { amountUsd }),
  };
  const startup = timeline.data.startups[question.startup];
  if (question.isWarm || startup === undefined) return { startup: question.startup, ...sought };
  const { tags, country, region, city, founded } = startup;
  const hasCountry = keeps();
  const hasRegion = hasCountry && keeps();
  return {
    ...sought,
    ...(keeps() && { tags }),
    ...(hasCountry && { country }),
    ...(hasRegion && { region }),
    ...(hasRegion && keeps() && { city }),
    ...(keeps() && { founded }),
  };
}
