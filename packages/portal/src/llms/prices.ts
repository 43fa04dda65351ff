/** Endpoints, prices and plans, from the rate card. */
import { PLANS, quote, RATE_CARD, RATES_DOCUMENT, type RateCardEntry } from '@vcds/metering';
import type { Description } from '../description.ts';

const PLAN_LIST = Object.values(PLANS);

/** `Free 500 credits a month, $top at most 100; …`. */
export function plansLine(): string {
  return PLAN_LIST.map(
    ({ name, creditsPerMonth, topMax }) =>
      `${name} ${creditsPerMonth.toLocaleString('en')} credits a month, \`$top\` at most ${topMax.toLocaleString('en')}`,
  ).join('; ');
}

/** The price of a call in a few words. */
export function priceText({ base, perRecordQuarters, minimum }: RateCardEntry): string {
  if (minimum === 0) return 'free';
  return perRecordQuarters === 0 ? `${base} a call` : `${perRecordQuarters / 4} a record`;
}

/** The most that a call costs, in credits: a path below {base_url} with its query. */
export function maximumPrice(call: string): number {
  const [path = '', query = ''] = call.split('?');
  const parameters = new Map(
    query.split('&').map((pair) => pair.split(/=(.*)/) as [string, string]),
  );
  if (parameters.get('quote') === 'true') return 0;
  const rate = rateOfCall(path);
  const expands = (parameters.get('$expand') ?? parameters.get('expand'))?.split(',').length ?? 0;
  const size = Number(parameters.get('$top') ?? parameters.get('limit') ?? 25);
  return quote(rate, {
    ceilingRecords: rate.pageParameter === null ? 1 : size,
    expands,
    countOnly: parameters.get('$count') === 'true',
  }).ceiling;
}

function rateOfCall(path: string): RateCardEntry {
  const asked = path.split('/');
  const matches = RATE_CARD.filter(({ path: template }) => {
    const parts = template.split('/');
    return (
      parts.length === asked.length &&
      parts.every((part, i) => part.startsWith('{') || part === asked[i])
    );
  });
  // The template with the fewest parameters.
  const [best] = matches.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  if (best === undefined) throw new Error(`${path} has no price.`);
  return best;
}

/** The described endpoints that the free plan does not have. */
export function paidText(api: Description): string {
  const { entitlements } = PLANS.free;
  const paid = RATE_CARD.filter(
    ({ path, scope }) =>
      api.paths.includes(path) && scope !== null && !entitlements.includes(scope),
  );
  if (paid.length === 0) return 'The free plan has every endpoint.';
  return `The free plan does not have ${paid.map(({ path }) => `\`${path}\``).join(', ')}.`;
}

/** The worked examples of the rate card, as calls. */
export function checksLine(): string {
  return RATES_DOCUMENT.checks
    .filter(({ path, records }) => path === '/signals' || (path === '/startups' && records > 0))
    .map(
      ({ path, records, expands, credits }) =>
        `${records} records of \`${path}\` with ${expands} expands: ${credits}`,
    )
    .join('; ');
}

/** One line for each endpoint: path, price, summary, own parameters. */
export function endpointLines(api: Description): string[] {
  const listed = RATE_CARD.filter(({ path }) => api.paths.includes(path));
  return listed.map((rate) => {
    const { summary } = api.operation(rate.path);
    const own = ownParameters(api, rate.path);
    const parameters = own === '' ? '' : ` Parameters: ${own}.`;
    const method = rate.method === 'GET' ? '' : `${rate.method}, `;
    return `- \`${rate.path}\` (${method}${priceText(rate)}): ${summary}.${parameters}`;
  });
}

const SHARED = new Set(['quote']);

// Collections have the parameters of all collections, and dimensions those of all dimensions.
function ownParameters(api: Description, path: string): string {
  return api
    .parameters(path)
    .filter(({ name }) => !name.startsWith('$') && !SHARED.has(name))
    .filter(({ description = '' }) => !description.includes('any of the values'))
    .map(({ name, schema }) => {
      const bounds = [
        schema.default === undefined ? '' : `${schema.default}`,
        schema.maximum === undefined ? '' : `at most ${schema.maximum.toLocaleString('en')}`,
      ].filter(Boolean);
      return bounds.length === 0 ? `\`${name}\`` : `\`${name}\` (${bounds.join(', ')})`;
    })
    .join(', ');
}
