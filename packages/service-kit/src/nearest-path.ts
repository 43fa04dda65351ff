import { editDistance } from '@vcds/odata-query';

/**
 * The most similar endpoint to a mistyped path, with the parameters of that path. At most a third
 * of the letters of its fixed segments may be wrong, and at most half of the letters of one
 * segment; the version prefix does not count. If there is none, the nearest endpoint with one more
 * fixed segment, if it is unique. The result is always one of the patterns with its parameters.
 */
export function nearestPath(path: string, patterns: readonly string[]): string | undefined {
  if (path.length > 200) return undefined;
  const typed = versioned(path);
  const endpoints = patterns.map(versioned);
  const similar = endpoints.flatMap((pattern) => candidates(pattern, pattern.rest, typed));
  const nearest = closest(similar.filter((candidate) => candidate.path !== path));
  if (nearest.length > 0) return nearest[0];
  const [only, ...others] = closest(endpoints.flatMap((pattern) => longer(pattern, typed)));
  return others.length === 0 ? only : undefined;
}

/** The segments of a path below its version. */
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

// Patterns of fixed segments only, any one of which is missing: a missing id cannot be guessed.
function longer(pattern: Versioned, typed: Versioned): Candidate[] {
  if (!pattern.rest.every(isLiteral)) return [];
  return pattern.rest.flatMap((_, missing) =>
    candidates(pattern, pattern.rest.toSpliced(missing, 1), typed),
  );
}

// The pattern with the typed parameters, if the typed path is near enough to `compared`.
function candidates(
  pattern: Versioned,
  compared: readonly string[],
  typed: Versioned,
): Candidate[] {
  const distance = segmentDistance(compared, typed.rest);
  if (distance === undefined) return [];
  const filled = pattern.rest.map((part, i) => (isLiteral(part) ? part : typed.rest[i]));
  const path = [pattern.version, ...filled].filter((part) => part !== '').join('/');
  return [{ path: `/${path}`, distance: distance + (pattern.version === typed.version ? 0 : 1) }];
}

// The distinct paths of the smallest distance.
function closest(all: readonly Candidate[]): string[] {
  const least = Math.min(...all.map(({ distance }) => distance));
  const nearest = all.filter(({ distance }) => distance === least);
  return [...new Set(nearest.map(({ path }) => path))];
}

// Undefined if it is too far, or the pattern has no fixed segment.
function segmentDistance(
  pattern: readonly string[],
  segments: readonly string[],
): number | undefined {
  if (pattern.length !== segments.length) return undefined;
  let letters = 0;
  let distance = 0;
  for (const [i, part] of pattern.entries()) {
    if (!isLiteral(part)) continue;
    const mistakesMax = Math.floor(part.length / 2);
    const mistakes = editDistance(part, (segments[i] ?? '').toLowerCase(), mistakesMax);
    if (mistakes > mistakesMax) return undefined;
    letters += part.length;
    distance += mistakes;
  }
  return letters > 0 && distance <= letters / 3 ? distance : undefined;
}

function isLiteral(segment: string): boolean {
  return !segment.startsWith(':');
}
