import { QueryError } from '@vcds/odata-query';

/** The QueryError that `action` must throw; anything else, or nothing, fails the test. */
export function errorOf(action: () => unknown): QueryError {
  try {
    action();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('This should have been rejected.');
}

/** A tree without its positions. */
export function withoutPositions(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === 'position' || key === 'operatorPosition' ? undefined : value,
    ),
  );
}
