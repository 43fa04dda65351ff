import { writeFileSync } from 'node:fs';
import { endpoints } from '../src/endpoints.ts';
import type { EndpointText } from '../src/serve/endpoint.ts';
import { EXAMPLES, type Example, type Examples, readExamples } from './files.ts';

/** The public roots in descriptions; access-api replaces them by the configured ones. */
const PLACEHOLDERS = { data: 'https://api.vcds.example', access: 'https://access.vcds.example' };

const TYPE = 'application/json';
type Call = (request: string, sent?: unknown) => Promise<unknown>;

/**
 * Calls every operation of a running product with the demonstration data, and stores the responses
 * in `docs/openapi/examples`.
 *
 * @param baseUrl {base_url}
 * @param authUrl {auth_url}
 * @throws Error for a response that is not 200.
 */
export async function captureExamples(baseUrl: string, authUrl: string, key: string) {
  const call: Call = async (request, sent) => {
    const response = await fetch(baseUrl + encodeURI(request).replaceAll('%25', '%'), {
      headers: { 'X-Api-Key': key, ...(sent !== undefined && { 'Content-Type': TYPE }) },
      ...(sent !== undefined && { method: 'POST', body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${request}: ${response.status} ${text}`);
    return JSON.parse(
      text
        .replaceAll(new URL(baseUrl).origin, PLACEHOLDERS.data)
        .replaceAll(new URL(authUrl).origin, PLACEHOLDERS.access),
    );
  };
  const names = await namesFrom(call);
  const stored = readExamples();
  const examples: Record<string, Examples> = {};
  for (const { rate, text, body } of endpoints) {
    if (text === undefined) continue;
    const { path } = rate;
    // The invented companies have no sites.
    if (path === '/find') {
      examples[text.id] = stored[text.id] ?? {};
      continue;
    }
    const request = requestOf(path, text, names);
    if (body === undefined) examples[text.id] = await examplesOf(request, text, call);
    else {
      const sent: unknown = JSON.parse(withNames(JSON.stringify(body.example), names));
      examples[text.id] = { result: { request, sent, body: await call(request, sent) } };
    }
  }
  writeFileSync(EXAMPLES, `${JSON.stringify(examples, null, 2)}\n`);
}

// The collection that most readers try first also shows the other bodies of a collection.
async function examplesOf(request: string, { id }: EndpointText, call: Call): Promise<Examples> {
  const one = async (asked: string): Promise<Example> => ({
    request: asked,
    body: await call(asked),
  });
  const result = await one(request);
  if (id !== 'listStartups') return { result };
  return {
    result,
    count: await one(`${request}&$count=true`),
    quote: await one(`${request}&quote=true`),
  };
}

/** Records and values of the data, by the name of the placeholder. */
type Names = Readonly<Record<string, string>>;

async function namesFrom(call: Call): Promise<Names> {
  const first = async (
    request: string,
  ): Promise<{ readonly Id: string; readonly Name: string; readonly Website?: string }> => {
    const [record] = (await call(request)) as Awaited<ReturnType<typeof first>>[];
    if (record === undefined) throw new Error(`${request} found nothing.`);
    return record;
  };
  const startup = await first(
    '/startups?$filter=LatestPostValuation gt 0&$orderby=RoundsCount desc,TotalRaised desc&$top=1',
  );
  const fund = await first('/funds?$orderby=InvestmentsCount desc&$top=1');
  const person = await first(`/startups/${startup.Id}/persons?$top=1`);
  return {
    startup: startup.Name,
    website: startup.Website ?? '',
    fund: fund.Name,
    startups: startup.Id,
    funds: fund.Id,
    persons: person.Id,
  };
}

/** The category of each entity path. */
const CATEGORIES: Readonly<Record<string, string>> = {
  startups: 'stage/series-a',
  funds: 'investor_type/accelerator',
  rounds: 'round_stage/series-a',
};

function requestOf(path: string, { example = '' }: EndpointText, names: Names): string {
  const [collection = '', last = ''] = [path.split('/')[1], path.split('/').at(-1)];
  const inPath = path
    .replace('{id}', names[collection] ?? '')
    .replace('{dimension}/{value}', CATEGORIES[last] ?? '')
    .replace('{dimension}', 'city')
    .replace('{snapshot}/{file}', '20260101T010000Z/startups-0.parquet');
  const query = withNames(example, names, encodeURIComponent);
  return `${inPath}${query}`;
}

/** Names of records, not of members: `{startup}`. */
function withNames(text: string, names: Names, written = (name: string) => name): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => written(names[name] ?? ''));
}
