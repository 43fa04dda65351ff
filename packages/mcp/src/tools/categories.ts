import { ArgumentError } from '../arguments.ts';
import {
  answer,
  DIMENSION_IDS,
  ENTITIES,
  integer,
  list,
  MAP,
  MAX_CREDITS,
  NARROW,
  object,
  oneOf,
  text,
} from '../schemas.ts';
import type { Arguments, Response, Tool } from './tool.ts';

const TOP_DEFAULT = 25;
const DIMENSIONS_MAX = 10;
const CUT = 'Each list is shorter than top: count fewer dimensions in one call, or search in one.';

interface Value {
  readonly value: string | number;
  readonly label: string;
  readonly count: number;
}

interface Counted {
  readonly entity: string;
  readonly total: number;
  readonly narrowedBy: Readonly<Record<string, readonly string[]>>;
  readonly dimension?: string;
  readonly values?: readonly Value[];
  readonly facets?: Readonly<Record<string, readonly Value[]>>;
}

/** Counts by the values of dimensions, and finds how a value is spelled. */
export const countByCategory: Tool = {
  name: 'count_by_category',
  title: 'Count by category',
  description:
    'How many startups, funds or rounds each value of up to 10 dimensions has, most first: 1 credit. ' +
    'Answers "which countries", "by year", and "how is this tag or city spelled" (one dimension and search). ' +
    'Example: {"entity":"startups","dimensions":["country","stage"],"narrow":{"industry":"Fintech"},"top":5}.',
  input: object(
    {
      entity: oneOf('Which records to count.', ENTITIES),
      dimensions: list(
        'By which dimensions.',
        { type: 'string', enum: DIMENSION_IDS },
        DIMENSIONS_MAX,
      ),
      narrow: NARROW,
      search: text(
        'Only values that begin with this, or contain it after *: *tech. One dimension only.',
        100,
      ),
      top: { ...integer('Values of each dimension.', 1, 100), default: TOP_DEFAULT },
      max_credits: MAX_CREDITS,
    },
    ['entity', 'dimensions'],
  ),
  output: answer({
    entity: { type: 'string' },
    total: { type: 'integer', description: 'All that match, also those without a value.' },
    narrowed_by: MAP,
    counts: MAP,
    more: { type: 'array', description: 'Dimensions that have further values.' },
  }),
  metered: true,
  argumentNames: { q: 'search', dimension: 'dimensions' },
  call: ({ entity, dimensions, narrow: narrowing, search, top = TOP_DEFAULT }) => {
    const [dimension, ...others] = dimensions as readonly string[];
    // One more says whether others follow.
    const query = { ...(narrowing as object | undefined), entity, top: Number(top) + 1 };
    if (others.length === 0) {
      return { path: '/categories/{dimension}', parameters: { ...query, dimension, q: search } };
    }
    if (search !== undefined)
      throw new ArgumentError('search needs exactly one dimension.', 'search');
    return { path: '/categories/facets', parameters: { ...query, dimensions } };
  },
  answer: (args, response) => firstOf(args, response, Infinity),
  firstOf,
};

function firstOf({ top = TOP_DEFAULT }: Arguments, { data }: Response, most: number) {
  const { entity, total, narrowedBy, dimension = '', values = [], facets } = data as Counted;
  const counted = Object.entries(facets ?? { [dimension]: values });
  const shown = Math.min(Number(top), most);
  const more = counted.flatMap(([id, all]) => (all.length > shown ? id : []));
  const first = (all: readonly Value[]) =>
    all.slice(0, shown).map(({ label, count }) => ({ label, count }));
  return {
    ...{ entity, total, narrowed_by: narrowedBy, more },
    counts: Object.fromEntries(counted.map(([id, all]) => [id, first(all)])),
    ...(most < Number(top) && more.length > 0 && { cut: CUT }),
  };
}
