import { ApiError } from '@vcds/service-kit/api-errors';
import type { ParameterReader } from '../request/parameter-reader.ts';

/** Tags that begin with a text, then those that contain it (docs/spec/search.md 7.4). */
export interface TagSearchPlan {
  readonly kind: 'tagSearch';
  readonly q: string;
  readonly top: number;
}

export const TAG_SEARCH_PARAMETERS = ['q', 'top'] as const;
const TOP = { min: 1, max: 100, default: 10 } as const;
const Q_LENGTH_MAX = 100;

/** @throws ApiError `bad_parameter` without `q`. */
export function parseTagSearch(reader: ParameterReader): TagSearchPlan {
  const q = reader.text('q', Q_LENGTH_MAX)?.trim();
  const top = reader.integer('top', TOP) ?? TOP.default;
  if (q === undefined) {
    throw new ApiError('bad_parameter', 'A search requires q, the beginning or a part of a tag.', {
      parameter: 'q',
    });
  }
  return { kind: 'tagSearch', q, top };
}
