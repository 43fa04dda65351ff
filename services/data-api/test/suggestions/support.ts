import { readFile } from 'node:fs/promises';
import { type CategoryApi, openCategoryApi } from '../categories/support/category-api.ts';
import { errorOf, type Query, type Reply, SEED } from '../support/api.ts';

/** A wrong call, and the intended text; null if no suggestion fits. */
export type Slip = readonly [path: string, query: Query, meant: string | null];

export const ACCESS_URL = 'http://access.example/api/v1';
const MORE = `
  INSERT INTO venture.startup (id, name, website, domain, tags, addresses, source) VALUES
    ('50000000-0000-4000-8000-000000000001', 'Stripe', 'https://stripe.com', 'stripe.com',
      '{"Artificial Intelligence",Fintech}',
      '[{"City": "New York", "Region": "New York", "Country": "United States"},
        {"City": "London", "Country": "United Kingdom"},
        {"City": "Amsterdam", "Country": "Netherlands"}]', 'seed');
  INSERT INTO venture.fund (id, name, investment_types, source) VALUES
    ('f0000000-0000-4000-8000-000000000001', 'Sequoia', '{VentureFund}', 'seed');`;

export async function readSlips(): Promise<readonly Slip[]> {
  return JSON.parse(await readFile(new URL('slips.json', import.meta.url), 'utf8'));
}

/** The API over the seed and the records that suggestions name. */
export async function openRepairApi(): Promise<CategoryApi> {
  return openCategoryApi({ seed: `${await readFile(SEED, 'utf8')}\n${MORE}` });
}

export async function send(api: CategoryApi, [path, query]: readonly [string, Query]) {
  return api.get(encodeURI(path), query);
}

/** The call with the suggestion in place of the invalid text, as in docs/spec/errors.md. */
export function repaired([path, query]: readonly [string, Query], reply: Reply): [string, Query] {
  const { code, parameter, field, value, position, suggestion } = errorOf(reply);
  const meant = String(suggestion);
  if (meant.startsWith('/')) {
    const [below = '', search = ''] = meant.replace(/^\/v2/, '').split(/\?(.*)/);
    const pairs = search === '' ? [] : [search.split(/=(.*)/).slice(0, 2) as [string, string]];
    return [below, Object.fromEntries(pairs)];
  }
  const name = String(parameter);
  const rest = Object.fromEntries(Object.entries(query).filter(([each]) => each !== name));
  if (code === 'unknown_parameter' || /^(?:q|order)=/.test(meant)) {
    const [target = '', written = query[name] ?? ''] = meant.split(/=(.*)/);
    return [path, { ...(code === 'bad_cursor' ? query : rest), [target]: written }];
  }
  const fault = String(value ?? field);
  const text = query[name];
  if (text === undefined) {
    const segments = path.split('/').map((segment) => (segment === fault ? meant : segment));
    return [segments.join('/'), query];
  }
  const at = text.indexOf(fault, typeof position === 'number' ? position : 0);
  if (at < 0) throw new Error(`${text}: ${fault} is not in it`);
  return [path, { ...query, [name]: text.slice(0, at) + meant + text.slice(at + fault.length) }];
}
