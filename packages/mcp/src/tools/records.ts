/** The tools for records: one, a page, a count. */
import { ArgumentError } from '../arguments.ts';
import { CATALOGUE, labelled } from '../catalogue.ts';
import { decodeCursor, nextCursor } from '../cursor.ts';
import { MAIN_FIELDS, pageSize, withMainRelated } from '../page-size.ts';
import {
  answer,
  CURSOR,
  described,
  ENTITIES,
  EXPAND,
  FILTER,
  integer,
  MAP,
  MAX_CREDITS,
  NARROW,
  ORDER_BY,
  object,
  oneOf,
  RECORDS,
  SELECT,
  TOP_MAX,
  uuid,
} from '../schemas.ts';
import {
  COLLECTION,
  LISTED_COLLECTION,
  LISTED_EXPAND,
  LISTED_SELECT,
  PRICES,
} from './record-texts.ts';
import type { Arguments, Call, Tool } from './tool.ts';

const { collections } = CATALOGUE;
const TOP_DEFAULT = 10;
const LESS =
  'These are as many records as an answer can show. Continue with next_cursor, or select fewer fields and relations.';
const NOTHING_MATCHES =
  'Nothing matches. A filter compares text exactly; narrow rejects a value that does not occur, and suggests one.';

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
  collection: COLLECTION,
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

const BY_ID = ['startups', 'funds', 'people'];

const RECORD_ARGUMENTS = { $select: 'select', $expand: 'expand' };
const SELECTION_ARGUMENTS = {
  ...{ $filter: 'filter', value: 'narrow', dimension: 'narrow', path: 'narrow' },
};
const PAGE_ARGUMENTS = { $orderby: 'orderby', $top: 'top', $skip: 'cursor', $skiptoken: 'cursor' };

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
      select: described(SELECT, 'Fields to return, such as Id,Name. Default: all.'),
      expand: described(EXPAND, 'As for list_records.'),
      max_credits: MAX_CREDITS,
    },
    ['collection', 'id'],
  ),
  output: answer({ record: MAP }),
  metered: true,
  argumentNames: RECORD_ARGUMENTS,
  call: ({ collection, id, select, expand }) => {
    const asked = { select: textOf(select), expand: textOf(expand) };
    const { expand: $expand } = pageSize(String(collection), 1, asked);
    const path = `${collections[String(collection)]?.path}/{id}`;
    return { path, parameters: { id, $select: select, $expand } };
  },
  answer: (_, { data }) => ({ record: labelled(withMainRelated(data)) }),
};

export const listRecords: Tool = {
  name: 'list_records',
  title: 'List records',
  description:
    'Records of a collection, filtered and sorted: 1 credit or more. A page has as many records as an answer can ' +
    'show, all of them are charged and shown, and next_cursor continues. ' +
    `Credits for each record: ${PRICES}; each relation in expand adds 25 %. ` +
    'Example: {"collection":"startups","filter":"Country eq \'France\' and Tag in (\'Fintech\')",' +
    '"orderby":"TotalRaised desc","top":5}.',
  input: object(
    {
      ...SELECTION,
      collection: LISTED_COLLECTION,
      select: LISTED_SELECT,
      orderby: ORDER_BY,
      expand: LISTED_EXPAND,
      top: { ...integer('Records to return.', 1, TOP_MAX), default: TOP_DEFAULT },
      cursor: CURSOR,
      max_credits: MAX_CREDITS,
    },
    ['collection'],
  ),
  output: answer({
    records: RECORDS,
    next_cursor: { type: 'string' },
    hint: { type: 'string' },
  }),
  metered: true,
  recordsIn: 'records',
  argumentNames: { ...SELECTION_ARGUMENTS, ...RECORD_ARGUMENTS, ...PAGE_ARGUMENTS },
  call: pageCall,
  answer: ({ filter }, { data }) => ({
    records: labelled((data as readonly unknown[]).map(withMainRelated)),
    ...hintFor(filter, (data as unknown[]).length),
  }),
  next: ({ cursor, top }, response) => {
    const shown = (response.data as readonly unknown[]).length;
    const next = nextCursor(cursor, shown, response);
    const isLess = next.next_cursor !== undefined && shown < Number(top ?? TOP_DEFAULT);
    return { ...next, ...(isLess && { hint: LESS }) };
  },
};

/** @throws ArgumentError */
function pageCall(args: Arguments): Call {
  const { path, parameters } = selected(args);
  const { orderby: $orderby } = args;
  const collection = String(args.collection);
  const $select = textOf(args.select) ?? MAIN_FIELDS[collection];
  const { skip, token } = decodeCursor(args.cursor);
  const { top: $top, expand: $expand } = pageSize(collection, Number(args.top ?? TOP_DEFAULT), {
    select: $select,
    expand: textOf(args.expand),
  });
  const from =
    token === undefined ? { $skip: skip === 0 ? undefined : skip } : { $skiptoken: token };
  return { path, parameters: { ...parameters, $select, $orderby, $expand, $top, ...from } };
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
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
      filter: described(FILTER, 'As for list_records.'),
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
