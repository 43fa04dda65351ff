import { EngineUnavailableError } from './port.ts';

/** Changes may be applied between the parts of a search. */
const ATTEMPTS = 3;

/**
 * Repeats a search until the data had one version during it.
 *
 * @throws EngineUnavailableError if the data changed during each attempt, and errors of the search.
 */
export async function inOneVersion<T>(
  versionOf: () => number,
  search: (version: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const version = versionOf();
    const result = await search(version);
    if (versionOf() === version) return result;
  }
  throw new EngineUnavailableError('the data changed during each search');
}
