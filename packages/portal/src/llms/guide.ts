/** The sections of llms-full.txt that state rules, with their numbers from the tables. */
import { PRICE_CLASSES } from '@vcds/metering';
import { ERROR_MEANINGS, ERRORS, type ErrorCode } from '@vcds/service-kit/api-errors';
import type { Description } from '../description.ts';
import { checksLine, paidText, plansLine } from './prices.ts';

/** The placeholders of {base_url}, {auth_url} and the roots of both hosts. */
export const AT = Object.freeze({
  base: 'https://api.vcds.example/v2',
  auth: 'https://access.vcds.example/api/v1',
  data: 'https://api.vcds.example',
  access: 'https://access.vcds.example',
});

export const RULES = `- Use only names and values of this page. Parameters are strict: an unknown name, a value out of range, a duplicate is 400. Nothing is ignored or clamped. Names are case-sensitive, but not in \`measures\`, \`by\` and \`orderby\` of \`/aggregates\`.
- Percent-encode the values of this page: blank \`%20\` or \`+\`, \`&\` \`%26\`, \`+\` \`%2B\`.
- Tags, cities, regions and groups come from the data (\`Artificial Intelligence\`, not \`AI\`). If unsure of a spelling, look it up (1 credit) or use the suggestion of the error (free).
- Sums, averages, medians and rankings are one call of \`/aggregates\`: never list records to add them up.
- To count, do not list: \`$count=true\` and the counts of categories cost ${PRICE_CLASSES.totals.base} credit for any number of records.
- \`$top\` (25 by default) sets the price of a list. \`$top=1\` for one company.
- If you have the exact name, filter by it (\`Name eq '…'\`) and expand what you need: one call instead of a search and a look-up. \`Name like '…'\` contains, without regard to case. Otherwise search.
- \`$select\` shortens the response; the price is the same.
- Unknown values are null, and records with null are not found by \`gt ge lt le like\`. Amounts are whole US dollars. Dates are UTC.
- Errors are free. Read \`suggestion\`, \`allowed\`, \`see\`; never repeat a call unchanged.`;

/** How to get a key, with the limits of the access API. */
export function keySection(access: Description): string {
  const limits = ['/auth/register', '/auth/verify', '/auth/status']
    .map((path) => access.operation(path, path.endsWith('status') ? 'get' : 'post').description)
    .join('\n');
  return `1. \`POST ${AT.auth}/auth/register\` with \`{"email": "…"}\` (JSON). The 202 has \`request_id\`.
2. Ask the person for the six-digit code in the message.
3. \`POST ${AT.auth}/auth/verify\` with \`{"request_id": "…", "code": "123456"}\` (or \`email\` in place of \`request_id\`). The 200 has \`api_key\`, valid for 30 days and shown once.
4. Or the person opens the link in the message and creates a key there; \`GET …/auth/status?request_id=…\` then says \`link_used\`.

${limits}

Send the key as \`X-Api-Key: KEY\` or \`Authorization: Bearer KEY\`. \`GET ${AT.auth}/usage\` returns the balance, free: \`{"limit", "remaining", "reset"}\`.`;
}

/** The rule of prices. */
export function creditsSection(data: Description): string {
  return `credits = max(1, ceil(records × price of a record × (1 + 0.25 × expands))). Prices are in the list of endpoints. ${checksLine()}. A call with no result costs 1. Errors, \`/pricing\`, \`/signals/types\`, quotes and the roots cost 0. Every response has \`X-Credits-Charged\` and \`X-RateLimit-Remaining\`. A call needs its maximum price (that of \`$top\` or \`limit\` records) as balance, and is charged for the records returned.

Plans: ${plansLine()}. ${paidText(data)} \`quote=true\` on any call returns its price as \`{"quote": {"credits_max", "credits_min", "base", "per_record", "expands", "records_max"}, "credits": {…, "plan"}}\`, free, without running it; what the call would reject, the quote rejects. The request header \`X-Credits-Max: n\` rejects a call that could cost more than n. \`Idempotency-Key: TEXT\` charges repeats of a call within 24 hours once. \`$format=csv\` returns lists as CSV, at the same price; \`labels=true\` returns records with labels (\`Series A\`) in place of numbers.`;
}

export const QUERY_LANGUAGE = `\`$filter=Field op value\`, joined with \`and\`, \`or\`, \`not\`, parentheses.

- Text in single quotes, a quote doubled: \`Name eq 'O''Brien'\`. Exact and case-sensitive with \`eq ne in notin\`. \`like\`: \`%\` any characters, \`_\` one, without both: contains; ignores case and accents.
- Lists: \`Country in ('France','Spain')\`, \`notin\`. \`Country\` also accepts ISO codes (\`'FR'\`) and common names (\`'UK'\`).
- Numbers, dates, booleans and ids without quotes: \`TotalRaised ge 5000000\`, \`Date ge 2024-01-01\`, \`Confirmed eq true\`. No \`5M\`, no functions, no arithmetic.
- Closed values: number, \`'slug'\`, \`'Label'\` or \`'MemberName'\`: \`LastFundingStage eq 4\`, \`LastFundingStage in ('seed','series-a')\`. Operators \`eq ne in notin\` only: for "Series A or later" list the values.
- Null: \`Amount eq null\`, \`ne null\`. \`ne\` and \`notin\` include null.
- \`[]\` fields have several values: \`eq\`, \`in\`, \`like\` mean "has any", \`ne\`, \`notin\` "has none". \`Tag eq 'AI' and Tag eq 'Fintech'\` has both.
- \`Keywords eq 'words "a phrase" -not'\` searches the whole profile of startups and funds.
- \`$orderby=Field desc,Other\`: fields marked S; null last when descending. Equal values are in the order of \`Id\`: for "the largest" read one record more than asked, or add a field such as \`Date desc\`. \`$select=A,B\`. \`$expand=X,Y\`. The header \`Link\` has the next page: follow it unchanged. \`$skip\` counts records. A relation in \`$expand\` has at most 100 records; \`X@nextLink\` has the next ones.`;

export const CATEGORIES = `A dimension id is also a parameter (\`country=France&industry=Fintech\`) of the three listings below \`/categories\`, of the entity path and of \`/signals\`: values comma-separated mean any of them, several parameters mean all. Put a value with a comma in double quotes. It is not a parameter of \`/startups\`, \`/funds\` and \`/startups/fundingrounds\`: use \`$filter\` there, or the entity path \`/categories/{dimension}/{value}/{entity}\`, which takes both.

- Any dimension narrows any entity through relations: rounds by the \`country\` or \`industry\` of their startup, startups by the \`investor_type\` of their investors, funds by the \`stage\` of their portfolio. Only an entity's own dimensions can be counted.
- \`/categories/{dimension}\` lists the values of one dimension with counts; \`/categories/facets\` counts several. \`/aggregates\` computes sums, averages, medians, percentiles and numbers of different startups or investors by dimensions and units of time, for one credit. Each investor of a round has its whole amount; \`TotalRaised\` is of all time, also under \`round_year\`.
- A value is \`{value, label, count}\`; send \`value\` back. Most records first, also years: take all values for "the last years". A record with several values counts under each; one without a value counts nowhere; \`total\` is the number of records under the narrowing. Those without one: count \`Field eq null\`.
- Country, region and city match any address of a company: with \`country=United States\` the list of cities also has foreign cities of companies with several addresses.
- For stages of rounds use \`round_stage\` (normalized), not \`round_series\` (text of the source).
- A value that no record has is 400 \`unknown_value\` with similar values; in \`$filter\` it matches nothing.`;

export const SIGNALS = `\`GET /signals\`: every change once, ordered by \`detectedAt\` (when the database recorded it), newest first; \`order=asc\` follows forward. \`occurredAt\` is the market date, and of a change without any date the time of the write: filter with \`occurredSince\` and \`occurredUntil\`, display it, do not page by it. A page is \`{signals, nextCursor, hasMore, order}\`. To follow: \`order=asc&since=…\`, then repeat the same parameters with \`cursor=nextCursor\` while \`hasMore\`. Cursors never expire. Poll at most hourly. Remove duplicates by \`id\`. Narrow by \`types\` first: it saves most.

For a copy of everything never page through collections. \`GET /snapshots\` lists files with all records of a night (Parquet and JSON lines, 1 credit a file); \`GET /changes?collections=startups&include=record&cursor=…\` has every change after it in order, with the fields that changed, and deletes, which \`/signals\` has not. \`/odata/v4\` on the data host serves the same collections to Excel and Power BI (OData 4.0, the key as the user name of Basic).`;

/** The types of signal, one line each. */
export function signalLines(api: Description): string[] {
  const types = api.schema('Signal').properties?.type?.['x-signal-types'] ?? [];
  return types.map(({ type, subject, object, carriesAmount, description }) => {
    const parts = [
      `subject ${subject ?? 'startup or fund'}`,
      object && `object ${object}`,
      carriesAmount && 'amount',
    ];
    return `- \`${type}\` (${parts.filter(Boolean).join(', ')}): ${description}`;
  });
}

/** Codes that an assistant meets, without those of broken HTTP. */
const CODES: readonly ErrorCode[] = [
  ...(['unknown_parameter', 'bad_parameter', 'unknown_field', 'unknown_relation'] as const),
  ...(['field_not_filterable', 'operator_not_supported', 'bad_filter', 'bad_date'] as const),
  ...(['unknown_value', 'unknown_dimension', 'unknown_entity', 'unknown_signal_type'] as const),
  ...(['bad_cursor', 'top_above_plan', 'price_above_limit', 'unauthorized'] as const),
  ...(['not_entitled', 'not_found', 'credits_exhausted', 'too_many_requests'] as const),
  ...(['internal_error', 'unavailable'] as const),
];

/** The errors, one line each, and how to repair a call. */
export function errorsSection(): string {
  const lines = CODES.map((code) => `- ${ERRORS[code]} \`${code}\`: ${ERROR_MEANINGS[code]}`);
  return `The body is \`{"error": {"code", "message", "status", "trace_id", "parameter", "field", "value", "position", "allowed", "suggestion", "see"}}\`, members where they apply. Repair: replace \`value\` by \`suggestion\` (a suggestion that begins with \`/\` or \`http\` replaces the path; \`name=value\` replaces the parameter). Without a suggestion choose from \`allowed\`. \`see\` has the list of valid values.

${lines.join('\n')}

After 5xx wait \`Retry-After\` seconds and retry once. After 429 \`credits_exhausted\` use fewer records (\`actions\` says how many) or wait for the refill on the first of the month.`;
}
