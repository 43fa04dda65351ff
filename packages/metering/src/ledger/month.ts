/** A month in UTC as YYYYMM, which rises with time; 0 is none. */
export type Period = number;

/** The month an instant falls in. */
export function periodOf(instantMs: number): Period {
  const instant = new Date(instantMs);
  return instant.getUTCFullYear() * 100 + instant.getUTCMonth() + 1;
}

/** When the allowance of a month ends: the first of the next month, 00:00 UTC. */
export function resetOf(period: Period): Date {
  // JavaScript counts months from 0, so this is already the month after.
  return new Date(Date.UTC(Math.trunc(period / 100), period % 100, 1));
}
