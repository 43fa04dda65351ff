import { parseFilter, QueryError } from '@vcds/odata-query';
import fc from 'fast-check';
import { recordQueryOf } from '../../../src/collections/count.ts';
import { type CountPlan, planCollection } from '../../../src/collections/plan.ts';
import { type Resource, type ResourceField, resources } from '../../../src/resources/index.ts';
import { createCursors } from '../../../src/serve/cursors.ts';

/** Literals by the type of a field: a value of the seed, another one, and one that no record has. */
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  text: ["'Robots'", "'France'", "'Absent'"],
  year: ['2010', '2012', '1800'],
  integer: ['5', '700', '2147483647'],
  usd: ['1230000', '1000000', '1234567'],
  date: ['2011-01-01', '2012-01-01', '1990-01-01'],
  boolean: ['true', 'false'],
  // The second one is between two milliseconds.
  instant: ['2015-05-05T10:20:30.123Z', '2015-05-05T10:20:30.1235Z', '1990-01-01'],
};
const ORDERS = ['gt', 'ge', 'lt', 'le'];
const cursors = createCursors(['a-secret-of-this-test']).pages;

/** The plan of the count of a filter. */
export function countPlanOf(resource: Resource, filterText: string): CountPlan {
  const plan = planCollection(
    {
      ...{ top: 1, skip: 0, cursor: undefined, identity: '', count: true, orderBy: [] },
      ...{ filterText, select: undefined, expand: undefined, filter: parseFilter(filterText) },
    },
    { resource, ceiling: { plan: 'scale', topMax: 5_000 }, today: '2020-01-01', cursors },
  );
  if (plan.kind !== 'count') throw new TypeError('This is the plan of a count.');
  return plan;
}

/** Every condition on one field that the facet index can count, by collection. */
export const CONDITIONS = [resources.startup, resources.fund, resources.fundingRound].map(
  (resource) => ({
    resource,
    conditions: [...resource.fields.values()]
      .flatMap(conditionsOn)
      .filter((text) => isIndexed(resource, text)),
  }),
);

/** Combinations of these conditions that no stored count has. */
export const combinations: fc.Arbitrary<CountPlan> = fc
  .constantFrom(...CONDITIONS)
  .chain(({ resource, conditions }) => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(...conditions),
        fc.tuple(tie('tree'), fc.constantFrom('and', 'or'), tie('tree')).map(grouped),
        tie('tree').map((text) => `not (${text})`),
      ),
    }));
    return fc.tuple(tree, tree).map(([a, b]) => countPlanOf(resource, `(${a}) and (${b})`));
  });

const grouped = ([a, word, b]: [string, string, string]) => `((${a}) ${word} (${b}))`;

function conditionsOn({ name, closed, type }: ResourceField): string[] {
  const literals = closed?.map((each) => `'${each.name}'`) ?? LITERALS[type] ?? [];
  const [one, other] = literals;
  if (one === undefined) return [];
  return [
    ...['eq', 'ne', ...ORDERS].flatMap((word) =>
      literals.slice(0, 2).map((literal) => `${name} ${word} ${literal}`),
    ),
    `${name} in (${one},${other ?? one})`,
    `${name} notin (${one},${other ?? one})`,
    `${name} eq null`,
    `${name} ne null`,
    ...["'%o%'", "'fr_nce'", "'series%'", "'%absent%'"].map((pattern) => `${name} like ${pattern}`),
  ];
}

function isIndexed(resource: Resource, text: string): boolean {
  try {
    return recordQueryOf(countPlanOf(resource, text)) !== undefined;
  } catch (error) {
    // The field does not have the operator.
    if (error instanceof QueryError) return false;
    throw error;
  }
}
