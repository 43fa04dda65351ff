const ROUNDS = 7;
const ROUND_MS_MIN = 2;

/**
 * By what factor the work grows when its input doubles: 2 for linear work, 4 for quadratic. The
 * quotient of the processor time at `2n` and at `n`, each the least of several rounds, so that
 * neither garbage collection nor another process on the machine counts.
 *
 * @param input makes the input of a size; called twice, outside the measurement.
 */
export function growth<T>(n: number, input: (n: number) => T, work: (input: T) => unknown): number {
  const [once, twice] = [input(n), input(2 * n)];
  work(once);
  const repeats = repeatsFor(() => work(once));
  const [least, leastTwice] = [once, twice].map((each) =>
    Math.min(...Array.from({ length: ROUNDS }, () => cpuMs(() => work(each), repeats))),
  );
  return (leastTwice ?? Number.NaN) / (least ?? Number.NaN);
}

// So often that a round takes longer than the clock is coarse.
function repeatsFor(work: () => unknown): number {
  let repeats = 1;
  while (cpuMs(work, repeats) < ROUND_MS_MIN) repeats *= 2;
  return repeats;
}

function cpuMs(work: () => unknown, repeats: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < repeats; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
