import type { BoundValue } from '@vcds/odata-query';
import type { Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { TestApi } from '../support/api.ts';
import { type Collection, pathOf, topOf } from '../support/collections.ts';

type Answered = Record<string, unknown>;

/**
 * All rows of a collection for the reference evaluator: the record's fields, and for
 * filter-only fields the values of its relations.
 */
export async function rowsOf(api: TestApi, collection: Collection): Promise<Row[]> {
  const relations = [...collection.resource.relations.keys()];
  const expand = relations.length === 0 ? {} : { $expand: relations.join(',') };
  const records = await api.list(pathOf(collection), {
    $top: topOf(collection.resource),
    ...expand,
  });
  return records.map((record) => ({ ...(record as Row), ...filterOnlyValues(record) }));
}

function filterOnlyValues(record: Answered): Row {
  return {
    Startup: (record.StartupId as string | undefined) ?? null,
    Investor: names(record.Investors ?? record.Funds, 'Id'),
    LeadInvestor: names(leadersIn(record.Investors), 'Id'),
    'Group.Name': names(record.Groups, 'Name'),
    Keywords: [record.Name, record.Tag, record.Description].flat().filter(isText),
  };
}

function leadersIn(list: unknown): unknown {
  return Array.isArray(list) ? list.filter(({ Lead }: Answered) => Lead === true) : undefined;
}

function names(list: unknown, key: string): readonly BoundValue[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: Record<string, BoundValue>) => entry[key]).filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
