/** The values of one subject over a run. */
export interface Series {
  readonly name: string;
  /** Minutes since the start of the load, and values. */
  readonly points: readonly (readonly [minute: number, value: number])[];
  readonly bound: Bound;
}

/** By how much a flat series may grow: a share of its median, or an amount if that is more. */
export interface Bound {
  readonly share: number;
  readonly amount: number;
  /**
   * Of a series that grows until a job resets it: the minutes in which the job runs at least once. The
   * trend is that of the lowest value of each of these windows.
   */
  readonly resetMinutes?: number;
}

/** How a series changed. */
export interface Trend {
  readonly first: number;
  readonly last: number;
  /** Theil–Sen: the median of the slopes of all pairs of points. */
  readonly slopePerHour: number;
  /** The growth over the run by that slope, and the bound in the same unit. */
  readonly growth: number;
  readonly growthMax: number;
  readonly isFlat: boolean;
}

/**
 * The trend of a series. It is flat if it does not grow by more than its bound from the first point to
 * the last; a single outlier does not change the slope.
 *
 * @throws RangeError for fewer than two points
 */
export function trendOf({ name, points: all, bound }: Series): Trend {
  const points = bound.resetMinutes === undefined ? all : lowestOf(all, bound.resetMinutes);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) {
    throw new RangeError(`${name}: ${points.length} points have no trend`);
  }
  const slopes = points.flatMap(([minute, value], index) =>
    points.slice(index + 1).map(([later, other]) => (other - value) / (later - minute)),
  );
  const slope = median(slopes);
  const growth = slope * (last[0] - first[0]);
  const growthMax = Math.max(bound.amount, bound.share * median(points.map(([, value]) => value)));
  return {
    ...{ first: first[1], last: last[1], slopePerHour: 60 * slope },
    ...{ growth, growthMax, isFlat: growth <= growthMax },
  };
}

/** The lowest point of each window of so many minutes. */
function lowestOf(points: Series['points'], minutes: number): Series['points'] {
  const start = points[0]?.[0] ?? 0;
  const lowest = new Map<number, Series['points'][number]>();
  for (const point of points) {
    const window = Math.floor((point[0] - start) / minutes);
    const found = lowest.get(window);
    if (found === undefined || point[1] < found[1]) lowest.set(window, point);
  }
  return [...lowest.values()];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
