/** Stages, sectors, types of funds, titles and other lists of words. */
import { stages } from '@vcds/venture-model';
import { readTable } from './read-table.ts';

/** The profile of stage n is at n - 1. Stages 1 to 11 are the ladder from pre-seed to series H. */
export const STAGES = readTable('stages').map(
  ([share, raised, members, spellings = [], bounds = []]) => {
    const [low = 0, high] = bounds.map(Number);
    return {
      ...{ share: Number(share), raised: Number(raised), members: Number(members), spellings },
      /** Outside the ladder, the bounds of the ladder stage that the company has reached. */
      after: high === undefined ? null : ([low, high] as const),
    };
  },
);

/** The profile of a stage. Throws a RangeError for any other number. */
export function profileOf(number: number) {
  const profile = STAGES[number - 1];
  if (profile === undefined) throw new RangeError(`there is no stage ${number}`);
  return profile;
}

export const stageLabel = (stage: number): string => stages[stage - 1]?.label ?? `${stage}`;

/** The name of a stage in a sentence. */
export const stageInText = (stage: number): string =>
  stage === 12 ? 'Venture' : stageLabel(stage);

/** Quantiles of amounts and headcounts as multiples of their medians. */
export const RAISED_SPREAD = [0.15, 0.42, 0.68, 1, 1.4, 2.1, 5];
export const MEMBERS_SPREAD = [0.2, 0.45, 0.7, 1, 1.45, 2.4, 6];
export const UNFUNDED_MEMBERS = [1, 1, 2, 3, 4, 7, 12, 30];

/** Sectors: industry tags that occur together, and suffixes of the names of companies. */
export const SECTORS = readTable('sectors').map(
  ([[weight = ''] = [], tags = [], descriptors = []]) => {
    return { weight: Number(weight), tags, descriptors };
  },
);

/** Types of funds: suffixes of the names of its funds, and their usual mandates. */
export const FUND_TYPES = readTable('fund-types').map(
  ([[name = ''] = [], share, suffixes = [], mandates = []]) => ({
    name,
    share: Number(share),
    suffixes,
    mandates: mandates.map((numbers) => numbers.split(' ').filter(Boolean).map(Number)),
  }),
);

/** Outcomes for the funds that hold a company. `listed`: a fund without a round lists it. */
export const OUTCOMES = ['acquired', 'exited', 'partly', 'stated', 'listed'] as const;

const LISTS = new Map(readTable('lists').map(([[name = ''] = [], words = []]) => [name, words]));
const list = (name: string): readonly string[] => LISTS.get(name) ?? [];

/** Editorial groups, the most frequent first; one has a comma, so that lists have to quote it. */
export const GROUPS = list('groups');
export const FUND_TITLES = list('fund titles');
/** Titles of founders by slot. */
export const FOUNDER_TITLES = [1, 2, 3, 4].map((slot) => list(`titles of founder ${slot}`));
export const HIRE_TITLES = list('titles of hires');
export const FUND_MANNERS = list('manners of funds');
export const PUBLISHERS = list('publishers');
export const STREETS = list('streets');
/** Tags that companies of any sector have; the first ones are the most frequent. */
export const COMMON_TAGS = list('common tags');
/** Words that some companies of any sector have after their name. */
export const DESCRIPTORS = list('descriptors');
