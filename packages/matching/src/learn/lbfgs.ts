/** The value at a point; writes the gradient. */
export type Objective = (at: Float64Array, gradient: Float64Array) => number;

const MEMORY = 8;
const LINE_STEPS_MAX = 20;
const ARMIJO = 1e-4;

/** Minimizes a smooth convex function by L-BFGS with backtracking. Deterministic. */
export function minimize(
  objective: Objective,
  start: Float64Array,
  iterationsMax = 100,
  tolerance = 1e-6,
): Float64Array {
  let point = start.slice();
  let gradient = new Float64Array(point.length);
  let value = objective(point, gradient);
  const steps: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  for (let iteration = 0; iteration < iterationsMax; iteration++) {
    const direction = descent(gradient, steps);
    const slope = dot(direction, gradient);
    if (!(slope < -1e-14)) break;
    let size = steps.length === 0 ? Math.min(1, 1 / Math.sqrt(dot(gradient, gradient))) : 1;
    const nextGradient = new Float64Array(point.length);
    let next = point;
    let nextValue = value;
    for (let k = 0; k < LINE_STEPS_MAX; k++, size /= 2) {
      next = point.map((x, j) => x + size * (direction[j] as number));
      nextValue = objective(next, nextGradient);
      if (nextValue <= value + ARMIJO * size * slope) break;
    }
    if (!(nextValue < value)) break;
    const s = next.map((x, j) => x - (point[j] as number));
    const y = nextGradient.map((g, j) => g - (gradient[j] as number));
    const curvature = dot(s, y);
    if (curvature > 1e-12) {
      steps.push({ s, y, rho: 1 / curvature });
      if (steps.length > MEMORY) steps.shift();
    }
    const gain = value - nextValue;
    [point, gradient, value] = [next, nextGradient, nextValue];
    if (gain < tolerance * Math.max(1, Math.abs(value))) break;
  }
  return point;
}

function descent(
  gradient: Float64Array,
  steps: readonly { s: Float64Array; y: Float64Array; rho: number }[],
): Float64Array {
  const q = gradient.map((g) => -g);
  const alphas: number[] = [];
  for (const { s, y, rho } of steps.toReversed()) {
    const alpha = rho * dot(s, q);
    alphas.push(alpha);
    addTo(q, y, -alpha);
  }
  const last = steps.at(-1);
  if (last !== undefined) {
    const scale = dot(last.s, last.y) / dot(last.y, last.y);
    for (let j = 0; j < q.length; j++) q[j] = (q[j] as number) * scale;
  }
  for (const { s, y, rho } of steps) {
    addTo(q, s, (alphas.pop() ?? 0) - rho * dot(y, q));
  }
  return q;
}

function addTo(to: Float64Array, from: Float64Array, scale: number): void {
  for (let j = 0; j < to.length; j++) to[j] = (to[j] as number) + scale * (from[j] as number);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] as number) * (b[j] as number);
  return sum;
}
