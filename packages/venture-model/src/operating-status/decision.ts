/**
 * From observations to an operating status (docs/spec/resources.md 4.14). The database decides with
 * the same tables (migration 0010_operating_status); a test compares both for all inputs.
 */
import type { Observation, ObservedState } from './observation.ts';

const DAY_MS = 86_400_000;

/** The thresholds of all decisions, in days. */
export const STATUS_THRESHOLDS = {
  /**
   * An address is gone after this many days (UTC) with failed observations and none alive between
   * them, of which the first and the last are this far apart. One failed observation is never enough.
   */
  dead: { failingDaysMin: 3, spanDaysMin: 14 },
  parked: { failingDaysMin: 2, spanDaysMin: 7 },
  /** An account or site is quiet this long after its newest post … */
  quietDays: 365,
  /** … if the page was also seen this long after that post, so that the silence was observed. */
  quietSeenDays: 180,
  /** A sign of life is valid for this long. */
  activeDays: 365,
} as const;

/** The observations of one address: the last one, and a summary of all. */
export interface ObservationSummary extends Observation {
  readonly lastAliveAt: Date | null;
  /** The first of the failed observations since the address was last alive. */
  readonly failingSince: Date | null;
  /** The number of days (UTC) with such observations. */
  readonly failingDays: number;
  readonly newestPostAt: Date | null;
}

/**
 * `active`: it has a recent sign of life. `quiet`: it exists, and has had no post for a year.
 * `gone`: it does not exist any more. `unknown`: the observations do not show which.
 */
export type Condition = 'active' | 'quiet' | 'gone' | 'unknown';
export const CONDITIONS: readonly Condition[] = ['active', 'quiet', 'gone', 'unknown'];

/** The condition of all accounts of a company. */
export type SocialCondition = Exclude<Condition, 'gone'>;

export type InferredStatus = 'Active' | 'ProbablyClosed';
export type OperatingStatus = InferredStatus | 'Closed';

/** Adds an observation that is newer than the summary of its address. */
export function addObservation(
  summary: ObservationSummary | undefined,
  seen: Observation,
): ObservationSummary {
  const newestPostAt = latest(summary?.newestPostAt ?? null, seen.lastPostAt);
  if (seen.state === 'alive') {
    return { ...seen, newestPostAt, lastAliveAt: seen.seenAt, failingSince: null, failingDays: 0 };
  }
  const lastAliveAt = summary?.lastAliveAt ?? null;
  if (summary === undefined || summary.failingSince === null) {
    return { ...seen, newestPostAt, lastAliveAt, failingSince: seen.seenAt, failingDays: 1 };
  }
  const isNextDay = dayOf(seen.seenAt) > dayOf(summary.seenAt);
  const failingDays = summary.failingDays + (isNextDay ? 1 : 0);
  return { ...seen, newestPostAt, lastAliveAt, failingSince: summary.failingSince, failingDays };
}

/** The condition of an address at a time. Without an observation it is `unknown`. */
export function conditionOf(summary: ObservationSummary | undefined, at: Date): Condition {
  if (summary === undefined) return 'unknown';
  const { kind, lastAliveAt, newestPostAt } = summary;
  const { quietDays, quietSeenDays, activeDays } = STATUS_THRESHOLDS;
  if (isGone(summary)) return 'gone';
  if (newestPostAt !== null && lastAliveAt !== null) {
    const isSeenQuiet = daysBetween(newestPostAt, lastAliveAt) >= quietSeenDays;
    if (isSeenQuiet && daysBetween(newestPostAt, at) >= quietDays) return 'quiet';
  }
  // A site that is served is a sign of life; an account is one only by its posts.
  const sign = kind === 'site' ? lastAliveAt : newestPostAt;
  return sign !== null && daysBetween(sign, at) < activeDays ? 'active' : 'unknown';
}

/** Of the accounts of a company the most active one counts; one that is gone counts as quiet. */
export function socialCondition(accounts: readonly Condition[]): SocialCondition {
  if (accounts.includes('active')) return 'active';
  return accounts.includes('quiet') || accounts.includes('gone') ? 'quiet' : 'unknown';
}

/** The decision table: the status that site and accounts result in; null if inconclusive. */
const OBSERVED_STATUS: Readonly<
  Record<Condition, Readonly<Record<SocialCondition, InferredStatus | null>>>
> = {
  active: { active: 'Active', quiet: 'Active', unknown: 'Active' },
  quiet: { active: 'Active', quiet: 'ProbablyClosed', unknown: null },
  gone: { active: 'Active', quiet: 'ProbablyClosed', unknown: 'ProbablyClosed' },
  unknown: { active: 'Active', quiet: null, unknown: null },
};

/** The status that observations result in; null if they are inconclusive. */
export function observedStatus(site: Condition, social: SocialCondition): InferredStatus | null {
  return OBSERVED_STATUS[site][social];
}

/** The inputs of the effective status. */
export interface StatusInputs {
  /** Set by the owner or an editor. */
  readonly stated: OperatingStatus | null;
  readonly observed: InferredStatus | null;
  /** Stated by an import as an inference. */
  readonly inferred: InferredStatus | null;
  /** Whether a confirmed round of the last three months exists. Never for a fund. */
  readonly hasRecentRound: boolean;
}

/** The effective status. */
export function operatingStatusOf(inputs: StatusInputs): OperatingStatus | null {
  if (inputs.stated !== null) return inputs.stated;
  const inference = inputs.observed ?? inputs.inferred;
  return inference === 'ProbablyClosed' && inputs.hasRecentRound ? 'Active' : inference;
}

/** Whether a round of `day` is less than three months old, by the day in UTC. */
export function isRecentRound(day: Date | null, at: Date): boolean {
  if (day === null) return false;
  const today = new Date(dayOf(at) * DAY_MS);
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 3 + 1, 0));
  const dayOfMonth = Math.min(today.getUTCDate(), month.getUTCDate());
  return day.getTime() > Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), dayOfMonth);
}

function isGone({ state, seenAt, failingSince, failingDays }: ObservationSummary): boolean {
  if (state === 'alive' || failingSince === null) return false;
  const { failingDaysMin, spanDaysMin } = STATUS_THRESHOLDS[state satisfies ObservedState];
  return failingDays >= failingDaysMin && daysBetween(failingSince, seenAt) >= spanDaysMin;
}

function daysBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / DAY_MS;
}

function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
