import { readdirSync, readFileSync } from 'node:fs';
import { PLANS, quote, RATE_CARD, RATES_DOCUMENT, rateFor, SCOPE_TEXTS } from '@vcds/metering';
import { ERROR_MEANINGS, ERRORS, type ErrorCode } from '@vcds/service-kit/api-errors';
import { DIMENSIONS } from '@vcds/venture-model';
import { examplesOf } from '../../src/examples.ts';
import { endpointList } from '../../src/reference.ts';

const TOKEN = /\{= ([\w.-]+) =\}/g;

/** The reaction of a caller to each error. */
const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  unknown_parameter: 'Apply `suggestion`, or remove the parameter.',
  unknown_field: 'Apply `suggestion`; `allowed` lists the fields.',
  unknown_relation: 'Apply `suggestion`; `allowed` lists the relations.',
  field_not_filterable: 'Use another field; `see` lists what each field supports.',
  operator_not_supported: 'Use an operator of `allowed`.',
  unknown_value: 'Apply `suggestion`; `see` lists the values.',
  unknown_dimension: 'Apply `suggestion`; `see` lists the dimensions.',
  unknown_entity: 'Use a value of `allowed`.',
  unknown_signal_type: 'Use a value of `allowed`.',
  bad_cursor: 'Send `nextCursor` of a page with the same `order`.',
  bad_date: 'Send `YYYY-MM-DD` or an instant; the first bound must be earlier.',
  bad_filter: 'Correct the text at `position`.',
  bad_parameter: 'Correct the value; the message has the bounds.',
  price_above_limit: 'Follow one of `actions`: a smaller page, or a higher limit.',
  too_many_groups: 'Leave out a key, or narrow the records.',
  address_not_public: 'Send the public website of a company.',
  top_above_plan: 'Lower the page size, or change the plan.',
  bad_json: 'Send a JSON object.',
  bad_request: 'Correct the HTTP request.',
  email_required: 'Send `email`.',
  missing_fields: 'Send `code`, and `request_id` or `email`.',
  unauthorized: 'Check the key; `reason` says why it is invalid.',
  wrong_code: 'Check the code; `attempts_left` says how often you may try.',
  not_entitled: 'Use a key with this scope, or change the plan.',
  origin_not_allowed: 'Call from a program, or from a page of an allowed origin.',
  https_required: 'Use `https://`.',
  moved_permanently: 'Use the id of the response; clients that follow redirects do.',
  not_found: 'Search for the record; its id may be wrong.',
  unknown_path: 'Apply `suggestion`; the root of the API lists the paths.',
  method_not_allowed: 'Use a method of the `Allow` header.',
  not_acceptable: 'Accept one of `allowed`, or omit the header.',
  request_timeout: 'Send the request faster.',
  invalid_or_expired: 'Register again.',
  bad_range: 'The download is complete; compare its digest with the manifest.',
  cursor_lost: 'Load the newest snapshot, and continue with its `cursor`.',
  body_too_large: 'Send less.',
  url_too_long: 'Split the call.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  idempotency_mismatch: 'Send the same call, or a new key.',
  site_unreachable: 'Check the domain; try again later.',
  site_timeout: 'Try again later.',
  site_refused: 'Nothing: the site does not permit it.',
  site_too_large: 'Send the address of another page of the site.',
  site_empty: 'Send the address of another page of the site.',
  not_html: 'Send the address of a page.',
  headers_too_large: 'Send fewer headers.',
  key_limit_reached: 'Follow one of `actions`: a smaller page, a higher limit of the key, or wait.',
  credits_exhausted: 'Follow one of `actions`: a smaller page, more credits, or wait.',
  too_many_keys: 'Revoke keys in the account area, then verify again.',
  too_many_attempts: 'Register again.',
  too_many_requests: 'Wait for the seconds of `Retry-After`.',
  internal_error: 'Retry once after `Retry-After`; report the `trace_id`.',
  unavailable: 'Retry once after `Retry-After`.',
};

const number = (value: number) => value.toLocaleString('en-US');
const credits = (value: number) => `${number(value)} credit${value === 1 ? '' : 's'}`;
const code = (text: string | number) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function priceOf({ base, perRecord }: { readonly base: number; readonly perRecord: number }) {
  if (base === 0 && perRecord === 0) return 'free';
  return perRecord === 0 ? `${credits(base)} a call` : `${credits(perRecord)} a record`;
}

/** The address of a package that access-api serves; all packages have one version. */
function download(name: string): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return `https://access.vcds.example/downloads/vcds-${name}-${version}.tgz`;
}

/** The greatest price of a call. */
function priceOfCall(path: string, ceilingRecords = 0): number {
  return quote(rateFor(path), { ceilingRecords, expands: 0, countOnly: false }).ceiling;
}

/** Questions of the start page: the page that answers each, and the call that is priced. */
const PRICED: readonly (readonly [page: string, call: string, path: string, records?: number])[] = [
  ['median-series-a', 'median of a group, by year', '/aggregates'],
  ['market-map', 'a market by country and stage', '/aggregates'],
  ['look-alikes', 'the ten most similar companies', '/startups/{id}/similar'],
  ['portfolio-changes', '100 changes of a portfolio', '/signals', 100],
  ['who-invested', '50 rounds with their records', '/startups/{id}/fundingrounds', 50],
  ['pandas-frame', 'a table of 200 startups', '/startups', 200],
];

const pageOf = (name: string) =>
  readFileSync(new URL(`../questions/${name}.md`, import.meta.url), 'utf8');
const titleOf = (page: string) => /^# (.+)$/m.exec(page)?.[1] ?? '';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The recorded answer of the question that the start page draws. */
function homeChart(): string {
  const [example] = examplesOf(pageOf('volume-by-quarter'));
  const answer = JSON.stringify(JSON.parse(example?.answer ?? ''));
  return `<HomeChart answer="${escaped(answer)}" :price="${priceOfCall('/aggregates')}" />`;
}

/** Every question with its description. */
function questions(): string {
  const items = readdirSync(new URL('../questions/', import.meta.url))
    .filter((name) => name !== 'index.md')
    .map((name) => name.replace('.md', ''))
    .map((name) => {
      const page = pageOf(name);
      const description = /^description: (.+)$/m.exec(page)?.[1] ?? '';
      return `<li><a href="./${name}">${titleOf(page)}</a>${description}</li>`;
    });
  return `<ul class="cards">\n${items.join('\n')}\n</ul>`;
}

const FACTS: ReadonlyMap<string, () => string> = new Map(
  Object.entries({
    'downloads.client': () => download('client'),
    'downloads.mcp': () => download('mcp'),
    prices: () =>
      table(
        ['Calls', 'Price'],
        RATES_DOCUMENT.classes.map((line) => [line.title, priceOf(line)]),
      ),
    'endpoints.data': () => endpointList('data-api'),
    'endpoints.access': () => endpointList('access-api'),
    endpoints: () =>
      table(
        ['Endpoint', 'Price', 'Scope'],
        RATE_CARD.map(({ path, base, perRecordQuarters, scope }) => [
          code(path),
          priceOf({ base, perRecord: perRecordQuarters / 4 }),
          scope === null ? 'none' : code(scope),
        ]),
      ),
    'home.chart': homeChart,
    questions,
    'question.prices': () =>
      table(
        ['Question', 'Call', 'Price'],
        PRICED.map(([page, call, path, records]) => [
          `[${titleOf(pageOf(page))}](./questions/${page})`,
          `${call}: ${code(path)}`,
          `${records === undefined ? '' : 'at most '}${credits(priceOfCall(path, records))}`,
        ]),
      ),
    checks: () =>
      table(
        ['Call', 'Records', 'Expands', 'Credits'],
        RATES_DOCUMENT.checks.map(({ path, records, expands, count, credits: cost }) => [
          code(count ? `${path}?$count=true` : path),
          ...[records, expands, cost].map(String),
        ]),
      ),
    plans: () =>
      table(
        ['Plan', 'Credits a month', 'Largest `$top`', 'Missing scopes'],
        Object.values(PLANS).map(({ name, creditsPerMonth, topMax, entitlements }) => [
          name,
          number(creditsPerMonth),
          number(topMax),
          PLANS.scale.entitlements
            .filter((scope) => !entitlements.includes(scope))
            .map(code)
            .join(', ') || 'none',
        ]),
      ),
    scopes: () =>
      table(
        ['Scope', 'Allows'],
        Object.entries(SCOPE_TEXTS).map(([scope, { title, description }]) => [
          code(scope),
          `${title}: ${description}`,
        ]),
      ),
    errors: () =>
      table(
        ['Status', 'Code', 'Meaning', 'What to do'],
        Object.entries(ERRORS).map(([name, status]) => [
          String(status),
          `<a id="${name}" class="anchor" href="#${name}">\`${name}\`</a>`,
          ERROR_MEANINGS[name as ErrorCode],
          REMEDIES[name as ErrorCode],
        ]),
      ),
    dimensions: () =>
      table(
        ['Dimension', 'Filter field', 'Of', 'Meaning'],
        DIMENSIONS.map(({ id, filterField, entities, description }) => [
          code(id),
          code(filterField),
          entities.join(', '),
          description,
        ]),
      ),
    'dimensions.count': () => String(DIMENSIONS.length),
    stages: () =>
      DIMENSIONS.find(({ id }) => id === 'stage')
        ?.closed?.map(({ value, label }) => `${value} ${label}`)
        .join(', ') ?? '',
  }),
);

/** A page with the facts that its tokens `{= name =}` stand for. @throws Error for an unknown one. */
export function factsIn(page: string): string {
  return page.replace(TOKEN, (_token, name: string) => {
    const [plan, member] = name.split('.');
    const known = PLANS[plan as keyof typeof PLANS];
    if (member === 'credits' && known !== undefined) return number(known.creditsPerMonth);
    if (member === 'top' && known !== undefined) return number(known.topMax);
    const fact = FACTS.get(name);
    if (fact === undefined) throw new Error(`Unknown fact ${name}.`);
    return fact();
  });
}
