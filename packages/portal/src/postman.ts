/** The description of the data API as a collection of Postman, format 2.1. */

import { type Operation, type Parameter, readDescription } from './description.ts';
import { PLACEHOLDER_URLS } from './index.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const EXAMPLE = /^(?:GET|POST) \{base_url\}(\S.*)$/s;

/**
 * Every endpoint with its example, and its other parameters to switch on. The key is the variable
 * `apiKey`.
 */
export function postmanCollection() {
  const api = readDescription('data-api');
  const folders = new Map<string, object[]>();
  for (const path of api.paths) {
    const {
      tags: [tag = ''] = [],
      summary,
      description,
      responses,
      requestBody,
    } = api.operation(path);
    const call = exampleOf(responses);
    if (call === undefined) continue;
    const items = folders.get(tag) ?? [];
    folders.set(tag, items);
    const request = {
      ...methodAndBody(requestBody),
      description,
      url: urlOf(call, api.parameters(path)),
    };
    items.push({ name: summary, request });
  }
  const text = (key: string, value: string) => ({ key, value, type: 'string' });
  return {
    info: {
      name: 'Venture Capital Data API',
      description: `Set the variable apiKey. Documentation: ${PLACEHOLDER_URLS.accessPublicUrl}/docs/`,
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [text('key', 'X-Api-Key'), text('value', '{{apiKey}}'), text('in', 'header')],
    },
    variable: [text('baseUrl', `${PLACEHOLDER_URLS.dataPublicUrl}/v2`), text('apiKey', '')],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
}

function methodAndBody(sent: Operation['requestBody']) {
  if (sent === undefined) return { method: 'GET', header: [] };
  const { examples } = sent.content['application/json'] ?? {};
  return {
    method: 'POST',
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: { mode: 'raw', raw: JSON.stringify(examples?.result?.value, null, 2) },
  };
}

/** The path and query of the example; undefined of an endpoint without one. */
function exampleOf(responses: Operation['responses']): string | undefined {
  const bodies = Object.values(responses?.['200']?.content ?? {});
  const summaries = bodies.flatMap(({ examples }) => examples?.result?.summary ?? []);
  return summaries.flatMap((summary) => EXAMPLE.exec(summary)?.[1] ?? [])[0];
}

function urlOf(call: string, parameters: readonly Parameter[]) {
  const [path = '', text] = call.split('?');
  const pairs = (text ?? '').split('&').map((pair) => pair.split(/=(.*)/s));
  const values = new Map(pairs.map(([name = '', value = '']) => [name, decodeURIComponent(value)]));
  return {
    raw: `{{baseUrl}}${call}`,
    host: ['{{baseUrl}}'],
    path: path.split('/').slice(1),
    query: parameters.map(({ name, description, schema }) => ({
      ...{ key: name, value: values.get(name) ?? String(schema.default ?? '') },
      ...{ description, disabled: !values.has(name) },
    })),
  };
}
