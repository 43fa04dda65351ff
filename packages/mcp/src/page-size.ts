/**
 * The size of a page, decided before it is read: as many records as an answer can show, so that every
 * record that is paid for is shown (docs/spec/assistants.md 18.4).
 */
import { CATALOGUE, fieldsWith } from './catalogue.ts';
import { LEAST_TEXT_LENGTH } from './fit.ts';

/** About as many characters as an assistant can take in one answer. */
export const CHARACTERS_MAX = 25_000;
/** For the credits, the cursor, the hints, and the note about what was cut. */
export const MARGIN = 2_200;

const ROOM = CHARACTERS_MAX - MARGIN;
/** The most related records of one list. */
const ELEMENTS_MAX = 100;
/** The elements of each list that a page has room for. */
const ELEMENTS_LEAST = 2;

/** The fields of a page without `select`, and of related records. */
export const MAIN_FIELDS: Readonly<Record<string, string>> = {
  startups:
    'Id,Name,Website,Location,Country,Founded,Tag,TotalRaised,LastFundingStage,LastFundingDate,' +
    'MembersCount,OperatingStatus',
  funds:
    'Id,Name,Website,Location,Country,Founded,InvestmentStage,InvestmentType,InvestmentsCount,' +
    'LastInvestmentDate',
  rounds: 'Id,StartupId,Date,Series,Stage,Amount,Confirmed,InvestorNames',
  valuations: 'Id,StartupId,Date,Amount,Estimated,Stage,RoundAmount,PreviousStage,StepUp',
  people: 'Id,Name,Role,Title,FoundedCount,Location,Country',
  news: 'Id,Title,Url,Publisher,Date,StartupId,FundId',
};

/** The collection whose records a relation has. The others have few short members. */
const RELATED: Readonly<Record<string, string>> = {
  ...{ Startups: 'startups', Startup: 'startups', Funds: 'funds', Fund: 'funds' },
  ...{ FundingRounds: 'rounds', Persons: 'people' },
};
/** The shortest form of an element of the other relations, in characters. */
const ELEMENT_SIZES: Readonly<Record<string, number>> = {
  ...{ Tags: 40, Groups: 40, InvestmentStages: 130, InvestmentTypes: 130 },
};
const OTHER_ELEMENT_SIZE = 200;
/** Of the members that a relation adds, such as `HoldingStatus`. */
const ADDED_SIZE = 80;

const TEXT_SIZE = LEAST_TEXT_LENGTH + '"",'.length;
/** Characters of the shortest form of a value, by its type; of lists with their number. */
const SIZES: Readonly<Record<string, number>> = {
  ...{ uuid: 39, date: 13, year: 5, integer: 13, usd: 17, number: 24, instant: 31, boolean: 6 },
};
/** A list of one element, and `"Name@count":123,` beside it. */
const LIST_SIZE = TEXT_SIZE + '[],"@count":12345,'.length;
/** The member of a portfolio with the id, name and website of a company. */
const COMPANY = 'Startup';
const COMPANY_SIZE = 160;

/** The `$top` and `$expand` of a call whose records all fit in an answer. */
export interface PageSize {
  readonly top: number;
  readonly expand: string | undefined;
}

/**
 * @param asked records.
 * @param select the fields as written; undefined: all.
 * @param expand the relations as written.
 */
export function pageSize(
  collection: string,
  asked: number,
  { select, expand }: Readonly<Record<'select' | 'expand', string | undefined>>,
): PageSize {
  const fields = sizeOfFields(collection, select);
  const relations = relationsIn(expand);
  const related = relations.reduce((sum, { name }) => sum + sizeOfElement(name), 0);
  const least = fields + relations.length * LIST_SIZE + ELEMENTS_LEAST * related;
  const top = Math.max(1, Math.min(asked, Math.floor(ROOM / least)));
  const left = ROOM / top - fields - relations.length * LIST_SIZE;
  const elements = Math.floor(left / Math.max(1, related));
  const most = Math.max(1, Math.min(ELEMENTS_MAX, elements));
  return { top, expand: relations.length === 0 ? expand : boundedExpand(relations, most) };
}

/** The most records of a fixed size that an answer shows. */
export function recordsOf(characters: number): number {
  return Math.floor(ROOM / characters);
}

/** A record whose related records have their main fields, and no links of the API. */
export function withMainRelated(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, member]) => {
      if (name.endsWith('@nextLink')) return [];
      const collection = RELATED[name];
      if (collection === undefined) return [[name, member]];
      const shape = (element: unknown) => withMainFields(collection, element);
      return [[name, Array.isArray(member) ? member.map(shape) : shape(member)]];
    }),
  );
}

function withMainFields(collection: string, record: unknown): unknown {
  const fields = CATALOGUE.collections[collection]?.fields ?? {};
  const main = new Set(MAIN_FIELDS[collection]?.split(','));
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => main.has(name) || !(name in fields)),
  );
}

function sizeOfFields(collection: string, select: string | undefined): number {
  const found = CATALOGUE.collections[collection];
  const names = select?.split(',').map((name) => name.trim()) ?? ['*'];
  const shown = names.includes('*') && found !== undefined ? fieldsWith(found, 'show') : names;
  const sizeOf = (name: string) =>
    name === COMPANY ? COMPANY_SIZE : sizeOfType(found?.fields[name]?.type);
  return shown.reduce((sum, name) => sum + name.length + '"":'.length + sizeOf(name), 3);
}

function sizeOfType(type = 'text'): number {
  return type.endsWith('[]') ? LIST_SIZE + 20 : (SIZES[type] ?? TEXT_SIZE);
}

function sizeOfElement(relation: string): number {
  const collection = RELATED[relation];
  if (collection === undefined) return ELEMENT_SIZES[relation] ?? OTHER_ELEMENT_SIZE;
  return sizeOfFields(collection, MAIN_FIELDS[collection]) + ADDED_SIZE;
}

interface WrittenRelation {
  readonly text: string;
  readonly name: string;
  /** `$skip` and `$top` as written; undefined for other options, which the API rejects. */
  readonly options: readonly string[] | undefined;
}

const RELATION = /^(\w+)(?:\((\$(?:skip|top)=\d{1,9}(?:;\$(?:skip|top)=\d{1,9})?)\))?$/;

function relationsIn(expand: string | undefined): WrittenRelation[] {
  return (expand?.split(',') ?? []).map((written) => {
    const text = written.trim();
    const [, name, options = ''] = RELATION.exec(text) ?? [];
    if (name === undefined) return { text, name: text, options: undefined };
    return { text, name, options: options === '' ? [] : options.split(';') };
  });
}

function boundedExpand(relations: readonly WrittenRelation[], elements: number): string {
  return relations
    .map(({ text, name, options }) => {
      if (options === undefined || isOne(name)) return text;
      const [skip] = options.filter((each) => each.startsWith('$skip='));
      const [asked] = options.filter((each) => each.startsWith('$top='));
      const top = Math.min(elements, Number(asked?.slice('$top='.length) ?? elements));
      return `${name}(${[...(skip === undefined ? [] : [skip]), `$top=${top}`].join(';')})`;
    })
    .join(',');
}

/** Whether a relation is of one record. */
function isOne(name: string): boolean {
  return name === 'Startup' || name === 'Fund';
}
