/** The types of activity (docs/spec/activity.md 21.2): those signal types that are news. */
import { SIGNAL_TYPES, type SignalType } from '../signals/signal-types.ts';

export type ActivityTypeName = keyof typeof DESCRIPTIONS;

export interface ActivityType extends SignalType {
  readonly name: ActivityTypeName;
}

const DESCRIPTIONS = {
  'round.recorded': 'A confirmed funding round, with its investors.',
  'valuation.recorded': 'A post-money valuation.',
  'portfolio.company_added': 'A fund holds a company, and no recorded round says so.',
  'portfolio.exit_recorded': 'A fund exited a company, or the company was acquired.',
  'startup.added': 'A startup was added by its source.',
  'fund.added': 'A fund was added by its source.',
  'team.person_added': "A person joined a fund's team.",
  'news.mention': 'A news item about a startup, a fund or both.',
} as const satisfies Readonly<Record<string, string>>;

/** In the order of their codes, which is the order of the entries of a day. */
export const ACTIVITY_TYPES: readonly ActivityType[] = Object.freeze(
  SIGNAL_TYPES.flatMap((type) =>
    isActivityType(type.name)
      ? [Object.freeze({ ...type, name: type.name, description: DESCRIPTIONS[type.name] })]
      : [],
  ),
);

const BY_NAME: ReadonlyMap<string, ActivityType> = new Map(
  ACTIVITY_TYPES.map((type) => [type.name, type]),
);
const BY_CODE: ReadonlyMap<number, ActivityType> = new Map(
  ACTIVITY_TYPES.map((type) => [type.code, type]),
);

/** The type with this name, or undefined. */
export function activityTypeNamed(name: string): ActivityType | undefined {
  return BY_NAME.get(name);
}

/** @throws RangeError for a code that the database does not have. */
export function activityTypeOf(code: number): ActivityType {
  const type = BY_CODE.get(code);
  if (type === undefined) throw new RangeError(`Unknown activity type ${code}.`);
  return type;
}

function isActivityType(name: string): name is ActivityTypeName {
  return Object.hasOwn(DESCRIPTIONS, name);
}
