import { dayOf } from './calendar.ts';

/** What a world is made from. */
export interface WorldOptions {
  /** How many startups, 300 to 4,000,000; everything else is in proportion. Fewer than 300 work
   * too, but not every closed value occurs then. Default 20,000. */
  readonly startups?: number;
  /** A whole number of 32 bits; another one gives another world. Default 1. */
  readonly seed?: number;
  /** The day the history leads up to, `YYYY-MM-DD`; its last changes are of the days before it. */
  readonly today: string;
}

/** The counts and days of a world: all there is to know before any record is made. */
export interface WorldPlan {
  readonly seed: number;
  /** Startups that are there when the history begins: those of indexes 0 … baseStartups - 1. */
  readonly baseStartups: number;
  /** All startups; those after the first `baseStartups` arrive in the course of the history. */
  readonly startups: number;
  readonly baseFunds: number;
  readonly funds: number;
  /** People who invest their own money. */
  readonly angels: number;
  /** The first day of the history; what stands before it is the base. */
  readonly historyDay: number;
  readonly today: number;
}

/** How long the history lasts. */
export const historyDays = 180;

/** One in so many startups has a founder or another person who invests as an angel. */
export const startupsPerAngel = 20;

/** Every so many startups begin a block, whose first ones show each closed value once. */
export const startupBlock = 300;
export const startupShowcase = 68;
/** The same for funds. */
export const fundBlock = 60;

/** Settles what a world holds. Throws a RangeError for options out of bounds. */
export function planWorld(options: WorldOptions): WorldPlan {
  const { startups = 20_000, seed = 1 } = options;
  whole('startups', startups, 1, 4_000_000);
  whole('seed', seed, 0, 2 ** 32 - 1);
  const newStartups = Math.floor(startups * 0.025);
  const newFunds = Math.floor(startups * 0.004);
  const baseFunds = Math.max(fundBlock, Math.floor(startups * 0.071));
  const today = dayOf(options.today);
  return Object.freeze({
    seed,
    startups,
    baseStartups: startups - newStartups,
    funds: baseFunds + newFunds,
    baseFunds,
    angels: Math.floor((startups - newStartups) / startupsPerAngel),
    historyDay: today - historyDays,
    today,
  });
}

/** The day on which a startup reaches the database, for those of the history. */
export function arrivalDay(plan: WorldPlan, index: number): number {
  return spread(plan, index - plan.baseStartups, plan.startups - plan.baseStartups);
}

/** The same for funds. */
export function fundArrivalDay(plan: WorldPlan, index: number): number {
  return spread(plan, index - plan.baseFunds, plan.funds - plan.baseFunds);
}

/** The day of one of `count` events that are spread evenly over the history. */
export function spread(plan: WorldPlan, position: number, count: number): number {
  return plan.historyDay + Math.floor((position * historyDays) / count);
}

/** The first of `count` spread events that is on a day or after it. */
export function firstOn(plan: WorldPlan, day: number, count: number): number {
  const passed = Math.min(Math.max(day - plan.historyDay, 0), historyDays);
  return Math.ceil((passed * count) / historyDays);
}

function whole(name: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} is a whole number from ${low} to ${high}, not ${value}`);
  }
}
