/** The call for companies that are alike (docs/spec/similar.md 24.1). */
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import { NARROWING_PARAMETERS, parseNarrowing, type WrittenNarrowing } from '../narrowing/query.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter } from '../serve/request/parameters.ts';
import type { Kind } from './score.ts';

/** docs/spec/limits.md 12.2. */
export const SIMILAR_TOP: IntegerParameter = {
  kind: 'integer',
  name: 'top',
  ...{ min: 1, max: 100, default: 10 },
  description: 'The most companies to return.',
};

export const SIMILAR_PARAMETERS: readonly Parameter[] = [SIMILAR_TOP, ...NARROWING_PARAMETERS];

export interface SimilarQuery {
  readonly top: number;
  readonly narrowing: readonly WrittenNarrowing[];
}

export interface SimilarPlan {
  readonly kind: Kind;
  /** The company of the call. */
  readonly id: string;
  readonly top: number;
  /** Of the companies that are returned. */
  readonly narrowing: readonly PlannedNarrowing[];
}

/** @throws ApiError `bad_parameter`. */
export function parseSimilarQuery(reader: ParameterReader): SimilarQuery {
  return { top: reader.integer(SIMILAR_TOP), narrowing: parseNarrowing(reader) };
}

/** @throws QueryError `unknown_value` for a value that is not in a closed list. */
export function planSimilar(kind: Kind, { top, narrowing }: SimilarQuery, id: string): SimilarPlan {
  return { kind, id, top, narrowing: planNarrowing(narrowing) };
}
