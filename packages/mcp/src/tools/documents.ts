/** `search` and `fetch`: `find_company` and `get_record` in the shapes that connectors of ChatGPT expect. */
import { ArgumentError } from '../arguments.ts';
import { fit } from '../fit.ts';
import { CHARACTERS_MAX, MARGIN } from '../page-size.ts';
import { answer, MAP, object, RECORDS, text } from '../schemas.ts';
import { findCompany } from './companies.ts';
import { getRecord } from './records.ts';
import type { Call, Tool } from './tool.ts';

const TOP = 10;
const ID = /^(startups|funds)\/([0-9a-f-]{36})$/i;
/** The relations of a document. */
const EXPAND: Readonly<Record<string, string>> = {
  startups: 'FundingRounds,Funds',
  funds: 'Startups',
};

interface Match {
  readonly Id: string;
  readonly Type: string;
  readonly Name: string | null;
  readonly Website: string | null;
}

/** Results of `find_company`. */
export const search: Tool = {
  name: 'search',
  title: 'Search',
  description:
    'find_company for clients that need search and fetch: startups and funds whose name or website is like the query, ' +
    'not about a topic: 1 credit. Example: {"query":"Stripe"}.',
  input: object({ query: text('A name or domain.', 200) }, ['query']),
  output: answer({ results: RECORDS }),
  metered: true,
  recordsIn: 'results',
  argumentNames: { q: 'query', website: 'query' },
  call: ({ query }) => {
    const isDomain = /^[\w-]+(?:\.[\w-]+)+$/.test(String(query));
    return callOf(findCompany, { [isDomain ? 'website' : 'name']: query, top: TOP });
  },
  answer: (_, { data }) => ({
    results: (data as readonly Match[]).map(({ Id, Type, Name, Website }) => {
      const id = `${Type}s/${Id}`;
      return { id, title: Name ?? Website ?? id, url: urlOf(id, Website) };
    }),
  }),
};

/** A record of `get_record` as text. */
export const fetchDocument: Tool = {
  name: 'fetch',
  title: 'Fetch',
  description:
    'get_record for clients that need search and fetch: a startup with its rounds and investors, or a fund with its ' +
    'portfolio, as text: 2 credits. Example: {"id":"startups/…"}.',
  input: object({ id: text('id of a result of search.', 50) }, ['id']),
  output: answer({
    ...{ id: { type: 'string' }, title: { type: 'string' }, text: { type: 'string' } },
    ...{ url: { type: 'string' }, metadata: MAP },
  }),
  metered: true,
  call: ({ id }) => callOf(getRecord, identified(id)),
  answer: ({ id }, response) => {
    const whole = getRecord.answer({}, response);
    const { value, isCut } = fit(whole, CHARACTERS_MAX - 2 * MARGIN);
    const record = value.record as Readonly<Record<string, unknown>>;
    const website = typeof record.Website === 'string' ? record.Website : null;
    return {
      ...{ id, title: String(record.Name ?? website ?? id), text: linesOf(record).join('\n') },
      url: urlOf(String(id), website),
      metadata: { source: 'Venture Capital Data Service', ...(isCut && { shortened: 'true' }) },
    };
  },
};

/** @throws ArgumentError */
function identified(given: unknown) {
  const [, collection = '', id] = ID.exec(String(given)) ?? [];
  if (id === undefined) {
    throw new ArgumentError('id must be one of a result of search, such as startups/….', 'id');
  }
  return { collection, id, expand: EXPAND[collection] };
}

function callOf(tool: Tool, args: Readonly<Record<string, unknown>>): Call {
  const call = tool.call?.(args);
  if (call === undefined) throw new Error(`${tool.name} makes no call.`);
  return call;
}

/** For citations: the site of the company, else a name of the record. */
function urlOf(id: string, website: string | null): string {
  return website ?? `vcds://${id}`;
}

/** A line for each fact that there is. Never longer than its JSON. */
function linesOf(record: Readonly<Record<string, unknown>>): string[] {
  const facts = Object.entries(record).filter(([, value]) => value !== null && value !== '');
  return facts.flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [`${name}: ${inline(value)}`];
    if (value.length === 0) return [];
    const isOfRecords = value.some((each) => typeof each === 'object' && each !== null);
    const parts = value.map(inline);
    return [isOfRecords ? `${name}:\n${parts.join('\n')}` : `${name}: ${parts.join(', ')}`];
  });
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.map(inline).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const facts = Object.entries(value).filter(([, each]) => each !== null);
  return facts.map(([name, each]) => `${name} ${inline(each)}`).join('; ');
}
