/** The descriptions of `list_records`: what each collection has, spread over its arguments. */
import { CATALOGUE, type Collection, fieldsWith } from '../catalogue.ts';
import { described, EXPAND, oneOf, SELECT } from '../schemas.ts';

const { collections } = CATALOGUE;

export const COLLECTION = oneOf('Which records.', Object.keys(collections));

/** One line for each collection that has one. */
function lines(textOf: (collection: Collection) => readonly string[]): string {
  return Object.entries(collections)
    .map(([name, collection]) => [name, textOf(collection).join(' ')] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}

const ON_EVERY_RECORD = /^(Id|\w+TimeStamp)$/;

/** The fields for filters; with a star those for orders. */
function filterFields(collection: Collection): readonly string[] {
  const sortable = new Set(fieldsWith(collection, 'sort'));
  return fieldsWith(collection, 'filter')
    .filter((field) => !ON_EVERY_RECORD.test(field))
    .map((field) => (sortable.has(field) ? `${field}*` : field));
}

/** The fields that can only be selected, and, with a minus, those that cannot. */
function selectFields(collection: Collection): readonly string[] {
  const [filterable, shown] = [fieldsWith(collection, 'filter'), fieldsWith(collection, 'show')];
  const added = shown.filter((field) => !filterable.includes(field));
  return [
    ...added,
    ...filterable.filter((field) => !shown.includes(field)).map((not) => `-${not}`),
  ];
}

export const LISTED_COLLECTION = described(
  COLLECTION,
  `For filter; * also orderby, as Id, CreatedTimeStamp, UpdatedTimeStamp:\n${lines(filterFields)}`,
);
export const LISTED_SELECT = described(
  SELECT,
  `${SELECT.description} Those of filter, and more (- only in filter):\n${lines(selectFields)}`,
);
export const LISTED_EXPAND = described(
  EXPAND,
  `${EXPAND.description} Funds($skip=5) continues a list after 5.\n${lines(({ relations }) => Object.keys(relations))}`,
);
/** The credits for a record of each collection. */
export const PRICES = Object.entries(collections)
  .map(([name, { creditsPerRecord }]) => `${name} ${creditsPerRecord}`)
  .join(', ');
