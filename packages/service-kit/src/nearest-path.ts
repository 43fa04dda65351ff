import { editDistance } from '@vcds/odata-query';

/**
 * The endpoint a mistyped path most likely means, its parameters kept: of its fixed segments at
 * most a third of the letters wrong, of none more than half, the version prefix aside. Where no
 * endpoint is so near, the only nearest one with a fixed segment that was left out. What is
 * suggested is always one of the patterns, filled in.
 */
export function nearestPath(path: string, patterns: readonly string[]): string | undefined {
  if (path.length > 200) return undefined;
  const typed = versioned(path);
  const wanted = patterns.map(versioned);
  const whole = wanted.flatMap((pattern) => meant(pattern, pattern.rest, typed));
  const nearest = closest(whole.filter((found) => found.path !== path));
  if (nearest.length > 0) return nearest[0];
  const [only, ...others] = closest(wanted.flatMap((pattern) => meantByLess(pattern, typed)));
  return others.length === 0 ? only : undefined;
}

/** The segments of a path below its version, which is never taken for one of them. */
interface Versioned {
  /** `v2`, `api/v1`: up to two segments. */
  readonly version: string;
  readonly rest: readonly string[];
}

interface Candidate {
  readonly path: string;
  readonly distance: number;
}

function versioned(path: string): Versioned {
  const segments = path.split('/').filter((segment) => segment !== '');
  const from = segments.slice(0, 2).findIndex((segment) => /^v\d+$/i.test(segment)) + 1;
  return { version: segments.slice(0, from).join('/'), rest: segments.slice(from) };
}

// A pattern of fixed segments alone, any one of them left out: an id left out cannot be guessed.
function meantByLess(pattern: Versioned, typed: Versioned): Candidate[] {
  if (!pattern.rest.every(isLiteral)) return [];
  return pattern.rest.flatMap((_, missing) =>
    meant(pattern, pattern.rest.toSpliced(missing, 1), typed),
  );
}

// The pattern filled in, when what was typed is near enough to `compared`.
function meant(pattern: Versioned, compared: readonly string[], typed: Versioned): Candidate[] {
  const below = distanceBelow(compared, typed.rest);
  if (below === undefined) return [];
  const filled = pattern.rest.map((part, i) => (isLiteral(part) ? part : typed.rest[i]));
  const path = [pattern.version, ...filled].filter((part) => part !== '').join('/');
  return [{ path: `/${path}`, distance: below + (pattern.version === typed.version ? 0 : 1) }];
}

// The paths of the smallest distance, each once.
function closest(candidates: readonly Candidate[]): string[] {
  const least = Math.min(...candidates.map(({ distance }) => distance));
  const nearest = candidates.filter(({ distance }) => distance === least);
  return [...new Set(nearest.map(({ path }) => path))];
}

// Undefined: too far, or nothing fixed to compare by.
function distanceBelow(wanted: readonly string[], segments: readonly string[]): number | undefined {
  if (wanted.length !== segments.length) return undefined;
  let letters = 0;
  let distance = 0;
  for (const [i, part] of wanted.entries()) {
    if (!isLiteral(part)) continue;
    const most = Math.floor(part.length / 2);
    const mistakes = editDistance(part, (segments[i] ?? '').toLowerCase(), most);
    if (mistakes > most) return undefined;
    letters += part.length;
    distance += mistakes;
  }
  return letters > 0 && distance <= letters / 3 ? distance : undefined;
}

function isLiteral(segment: string): boolean {
  return !segment.startsWith(':');
}
