/** The tools for records: one, a page, a count. */
import { ArgumentError } from '../arguments.ts';
import { CATALOGUE, type Collection, fieldsWith, labelled } from '../catalogue.ts';
import {
  answer,
  ENTITIES,
  EXPAND,
  FILTER,
  integer,
  MAP,
  MAX_CREDITS,
  NARROW,
  object,
  oneOf,
  RECORDS,
  SELECT,
  TOP_MAX,
  text,
  uuid,
} from '../schemas.ts';
import type { Arguments, Call, Tool } from './tool.ts';

const { collections } = CATALOGUE;
const TOP_DEFAULT = 10;
const NOTHING_MATCHES =
  'Nothing matches. A filter compares text exactly; narrow rejects a value that does not occur, and suggests one.';
const UNKNOWN_SKIP = 'More records follow: repeat the call with skip in place of cursor.';

/** The fields of a page without `select`; the others are long, computed or seldom needed. */
export const MAIN_FIELDS: Readonly<Record<string, string>> = {
  startups:
    'Id,Name,Website,Location,Country,Founded,Tag,TotalRaised,LastFundingStage,LastFundingDate,' +
    'MembersCount,OperatingStatus',
  funds:
    'Id,Name,Website,Location,Country,Founded,InvestmentStage,InvestmentType,InvestmentsCount,' +
    'LastInvestmentDate',
  rounds: 'Id,StartupId,Date,Series,Stage,Amount,Confirmed,InvestorNames',
  valuations: 'Id,StartupId,FundingRoundId,Date,Amount,Estimated',
  people: 'Id,Name,Role,Title,Location,Country',
  news: 'Id,Title,Url,Publisher,Date,StartupId,FundId',
};

interface Parent {
  /** The path of the records of one company, if there is one. */
  readonly path?: string;
  /** The filter field with the id of the company. */
  readonly field?: string;
}

/** How the records of one company are selected. */
const PARENTS: Readonly<Record<string, Readonly<Record<string, Parent>>>> = {
  rounds: {
    startup_id: { path: '/startups/{id}/fundingrounds', field: 'StartupId' },
    fund_id: { field: 'Investor' },
  },
  valuations: { startup_id: { path: '/startups/{id}/postvaluations', field: 'StartupId' } },
  people: {
    startup_id: { path: '/startups/{id}/persons' },
    fund_id: { path: '/funds/{id}/persons' },
  },
  news: { startup_id: { field: 'StartupId' }, fund_id: { field: 'FundId' } },
  portfolio: { fund_id: { path: '/funds/{id}/portfolio' } },
  references: { startup_id: { path: '/startups/{id}/references' } },
};

const SELECTION = {
  collection: oneOf('Which records.', Object.keys(collections)),
  filter: FILTER,
  narrow: NARROW,
  startup_id: uuid('Only records of this startup: rounds, valuations, people, news, references.'),
  fund_id: uuid('Only records of this fund: portfolio, people, news, rounds it joined.'),
};

/** @throws ArgumentError */
function selected(args: Arguments): Call {
  const {
    collection,
    filter: condition,
    narrow: narrowing,
  } = args as {
    readonly collection: string;
    readonly filter?: string;
    readonly narrow?: Readonly<Record<string, string>>;
  };
  const { path, terms, id } = parentOf(collection, args, narrowing !== undefined);
  const conditions = [...terms, ...(condition === undefined ? [] : [condition])];
  const joined = conditions.length > 1 ? conditions.map((each) => `(${each})`) : conditions;
  const $filter = joined.length === 0 ? undefined : joined.join(' and ');
  if (narrowing === undefined) return { path, parameters: { id, $filter } };
  const [first, ...rest] = Object.entries(narrowing);
  if (!ENTITIES.some((entity) => entity === collection)) {
    throw new ArgumentError(`narrow applies to ${ENTITIES.join(', ')} only.`, 'narrow', ENTITIES);
  }
  if (first === undefined) return { path, parameters: { $filter } };
  const [dimension, value] = first;
  // A path cannot have such a segment.
  if (/^\.{0,2}$/.test(value.trim())) {
    throw new ArgumentError(`narrow.${dimension} needs a value.`, `narrow.${dimension}`);
  }
  const parameters = { ...Object.fromEntries(rest), dimension, value, $filter };
  return { path: `/categories/{dimension}/{value}/${collection}`, parameters };
}

function parentOf(collection: string, args: Arguments, isNarrowed: boolean) {
  const found = collections[collection];
  const parents = PARENTS[collection] ?? {};
  const terms: string[] = [];
  let path: string | undefined;
  let pathId: unknown;
  for (const name of ['startup_id', 'fund_id']) {
    const id = args[name];
    if (id === undefined) continue;
    const parent = parents[name];
    if (parent === undefined) {
      const others = Object.keys(PARENTS).filter((each) => PARENTS[each]?.[name] !== undefined);
      const message = `${name} does not apply to ${collection}, but to ${others.join(', ')}.`;
      throw new ArgumentError(message, name, others);
    }
    if (parent.field !== undefined && (parent.path === undefined || isNarrowed || path)) {
      terms.push(`${parent.field} eq ${id}`);
    } else if (path === undefined) {
      path = parent.path;
      pathId = id;
    } else {
      throw new ArgumentError(`Give startup_id or fund_id for ${collection}, not both.`, name);
    }
  }
  path ??= found?.path ?? '';
  if (path.includes('{id}') && pathId === undefined) {
    const needed = Object.keys(parents);
    throw new ArgumentError(`${collection} needs ${needed.join(' or ')}.`, needed[0]);
  }
  return { path, terms, id: pathId };
}

function describeCollection([name, collection]: readonly [string, Collection]): string {
  const sortable = new Set(fieldsWith(collection, 'sort'));
  const filterable = fieldsWith(collection, 'filter');
  const shown = fieldsWith(collection, 'show').filter((field) => !filterable.includes(field));
  const hidden = filterable.filter((field) => !fieldsWith(collection, 'show').includes(field));
  const fields = filterable
    .filter((field) => !hidden.includes(field) && !/^(Id|\w+TimeStamp)$/.test(field))
    .map((field) => (sortable.has(field) ? `${field}*` : field));
  const parts = [
    fields.join(' '),
    hidden.length === 0 ? '' : `only filter: ${hidden.join(' ')}`,
    shown.length === 0 ? '' : `only select: ${shown.join(' ')}`,
    ...[Object.keys(collection.relations)].map((all) =>
      all.length === 0 ? '' : `expand: ${all.join(' ')}`,
    ),
  ];
  return `${name} (${collection.creditsPerRecord}): ${parts.filter((part) => part !== '').join('; ')}`;
}

const BY_ID = ['startups', 'funds', 'people'];

const RECORD_ARGUMENTS = { $select: 'select', $expand: 'expand' };
const SELECTION_ARGUMENTS = {
  ...{ $filter: 'filter', value: 'narrow', dimension: 'narrow', path: 'narrow' },
};
const PAGE_ARGUMENTS = { $orderby: 'orderby', $top: 'top', $skip: 'skip', $skiptoken: 'cursor' };

export const getRecord: Tool = {
  name: 'get_record',
  title: 'Get one record',
  description:
    'One startup, fund or person by id, with all fields: 1 credit, 2 or more with expand. ' +
    'Example: {"collection":"startups","id":"…","expand":"FundingRounds,Funds"}. ' +
    'Use find_company for the id.',
  input: object(
    {
      collection: oneOf('Which record.', BY_ID),
      id: uuid('Its Id.'),
      select: SELECT,
      expand: EXPAND,
      max_credits: MAX_CREDITS,
    },
    ['collection', 'id'],
  ),
  output: answer({ record: MAP }),
  metered: true,
  argumentNames: RECORD_ARGUMENTS,
  call: ({ collection, id, select: $select, expand: $expand }) => ({
    path: `${collections[String(collection)]?.path}/{id}`,
    parameters: { id, $select, $expand },
  }),
  answer: (_, { data }) => ({ record: labelled(data) }),
};

export const listRecords: Tool = {
  name: 'list_records',
  title: 'List records',
  description:
    'Records of a collection, filtered and sorted; credits for each record in parentheses, 1 at least. ' +
    'Example: {"collection":"startups","filter":"Country eq \'France\' and Tag in (\'Fintech\')",' +
    '"orderby":"TotalRaised desc","top":5}. ' +
    `Fields of each collection, * sortable:\n${Object.entries(collections).map(describeCollection).join('\n')}\n` +
    'Every record with an Id also has Id, CreatedTimeStamp and UpdatedTimeStamp, all sortable.',
  input: object(
    {
      ...SELECTION,
      select: SELECT,
      orderby: text('Such as TotalRaised desc,Name. Null is last in desc.', 500),
      expand: EXPAND,
      top: { ...integer('Records to return.', 1, TOP_MAX), default: TOP_DEFAULT },
      skip: integer('Records to skip, from next_skip.', 0, 1_000_000_000),
      cursor: text(
        'next_cursor of an earlier answer, with its next_skip: faster than skip alone.',
        6000,
      ),
      max_credits: MAX_CREDITS,
    },
    ['collection'],
  ),
  output: answer({
    records: RECORDS,
    next_skip: { type: 'integer' },
    next_cursor: { type: 'string' },
    hint: { type: 'string' },
  }),
  metered: true,
  recordsIn: 'records',
  argumentNames: { ...SELECTION_ARGUMENTS, ...RECORD_ARGUMENTS, ...PAGE_ARGUMENTS },
  call: pageCall,
  answer: ({ filter }, { data }) => ({
    records: labelled(data),
    ...hintFor(filter, (data as unknown[]).length),
  }),
  next: (args, { data, hasNext, cursor }, shown) => {
    const { skip } = args;
    const received = (data as unknown[]).length;
    if (!hasNext && shown === received) return {};
    const isSkipKnown = args.cursor === undefined || skip !== undefined;
    if (cursor !== null && shown === received) {
      return { ...(isSkipKnown && { next_skip: Number(skip ?? 0) + shown }), next_cursor: cursor };
    }
    return isSkipKnown ? { next_skip: Number(skip ?? 0) + shown } : { hint: UNKNOWN_SKIP };
  },
};

/** @throws ArgumentError */
function pageCall(args: Arguments): Call {
  const { path, parameters } = selected(args);
  const { collection, select: $select, orderby: $orderby, expand: $expand, cursor } = args;
  const query = {
    $select: $select ?? MAIN_FIELDS[String(collection)],
    $orderby,
    $expand,
    $top: args.top ?? TOP_DEFAULT,
    ...(cursor === undefined ? { $skip: args.skip } : { $skiptoken: cursor }),
  };
  return { path, parameters: { ...parameters, ...query } };
}

export const countRecords: Tool = {
  name: 'count_records',
  title: 'Count records',
  description:
    'How many records match, without listing them: 1 credit for any number. Arguments as for list_records. ' +
    'Example: {"collection":"rounds","filter":"Stage eq \'Series A\' and Year eq 2021",' +
    '"narrow":{"country":"United Kingdom"}}.',
  input: object(
    {
      ...SELECTION,
      filter: { ...FILTER, description: 'As for list_records.' },
      max_credits: MAX_CREDITS,
    },
    ['collection'],
  ),
  output: answer({ count: { type: 'integer' }, hint: { type: 'string' } }),
  metered: true,
  argumentNames: SELECTION_ARGUMENTS,
  call: (args) => {
    const { path, parameters } = selected(args);
    return { path, parameters: { ...parameters, $count: true } };
  },
  answer: ({ filter }, { data }) => {
    const { count } = data as { readonly count: number };
    return { count, ...hintFor(filter, count) };
  },
};

/** A hint for a filter that nothing matches. */
function hintFor(filter: unknown, count: number): object {
  return filter === undefined || count > 0 ? {} : { hint: NOTHING_MATCHES };
}
