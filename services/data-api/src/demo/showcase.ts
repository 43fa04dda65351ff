/** Startups that show the values of closed lists: the first ones of every block, one value each. */
import { memberBuckets, primarySources, stages } from '@vcds/venture-model';
import { startupBlock } from './plan.ts';

const bucketsFrom = stages.length;
const nextStagesFrom = bucketsFrom + memberBuckets.length;
const sourcesFrom = nextStagesFrom + stages.length;
const statusesFrom = sourcesFrom + primarySources.length;

const placeOf = (index: number): number => index % startupBlock;

function numberWithin(index: number, from: number, count: number): number | null {
  const number = placeOf(index) - from + 1;
  return number >= 1 && number <= count ? number : null;
}

/** The number of the stage that a startup shows as its last one. */
export const shownStage = (index: number): number | null => numberWithin(index, 0, stages.length);

/** The number of the headcount bucket that it shows. */
export const shownBucket = (index: number): number | null =>
  numberWithin(index, bucketsFrom, memberBuckets.length);

/** The number of the stage that it shows as the next one. */
export const shownNextStage = (index: number): number | null =>
  numberWithin(index, nextStagesFrom, stages.length);

/** Its place, from 0, among those that show primary sources and operating statuses. */
export const sourcePlace = (index: number): number => placeOf(index) - sourcesFrom;
export const statusPlace = (index: number): number => placeOf(index) - statusesFrom;
