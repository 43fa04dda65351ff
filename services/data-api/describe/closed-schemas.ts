/** The closed lists, one schema each. */
import type { ClosedValue } from '@vcds/odata-query';
import { ref, type Schema, type SchemaObject } from '@vcds/openapi';
import {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  personRoles,
  primarySources,
  stages,
} from '@vcds/venture-model';

const LISTS: readonly (readonly [name: string, list: readonly ClosedValue[], title: string])[] = [
  ['Stage', stages, 'A funding stage, numbered upward in order of maturity.'],
  ['HeadcountBucket', memberBuckets, 'A range of headcounts.'],
  ['InvestorType', investorTypes, 'A kind of investor.'],
  ['OperatingStatus', operatingStatuses, 'Whether a company operates.'],
  ['ExitStatus', exitStatuses, "The status of an investor's holding."],
  ['PrimarySource', primarySources, 'How a company first reached the database.'],
  ['PersonRole', personRoles, 'The role of a person towards companies.'],
];

/** The schemas of the closed lists, by name. */
export const CLOSED_SCHEMAS: Readonly<Record<string, SchemaObject>> = Object.fromEntries(
  LISTS.map(([name, list, title]) => [
    name,
    { ...closedValues(list), description: `${title} Values: ${wordsOf(list)}.` },
  ]),
);

const labelLists = new Map(
  LISTS.map(([name, list]) => [
    list,
    {
      name: `${name}Label`,
      schema: { type: 'string', enum: list.map(({ label }) => label) } as const,
    },
  ]),
);

/** The schemas of the labels of the closed lists, by name. */
export const LABEL_SCHEMAS: Readonly<Record<string, SchemaObject>> = Object.fromEntries(
  [...labelLists.values()].map(({ name, schema }) => [name, schema]),
);

/** The schema of a label of a closed list. */
export function labelSchema(list: readonly ClosedValue[]): Schema {
  const named = labelLists.get(list);
  return named ? ref(named.name) : { type: 'string', enum: list.map(({ label }) => label) };
}

/** The schema of a value of a closed list. */
export function closedSchema(list: readonly ClosedValue[]): Schema {
  const named = LISTS.find(([, each]) => each === list);
  return named === undefined ? closedValues(list) : ref(named[0]);
}

/** The values of a closed list; filters also accept label, slug and name. */
export function closedValues(list: readonly ClosedValue[]): SchemaObject {
  const isNumber = typeof list[0]?.value === 'number';
  return {
    type: isNumber ? 'integer' : 'string',
    enum: list.map(({ value }) => value),
    'x-closed-values': list.map(({ value, label, slug, name }) => ({ value, label, slug, name })),
  };
}

function wordsOf(list: readonly ClosedValue[]): string {
  return list
    .map(({ value, label }) => (value === label ? label : `${value} (${label})`))
    .join(', ');
}
