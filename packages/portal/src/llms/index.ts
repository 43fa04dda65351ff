/** The files for assistants (llmstxt.org), from the descriptions and the tables. */

import { type Description, readDescription } from '../description.ts';
import { ASSETS } from '../index.ts';
import { closedLines, dimensionLines, ENTITIES } from './dimensions.ts';
import {
  AT,
  CATEGORIES,
  creditsSection,
  errorsSection,
  keySection,
  QUERY_LANGUAGE,
  RULES,
  SIGNALS,
  signalLines,
} from './guide.ts';
import { endpointLines, maximumPrice } from './prices.ts';
import { RECIPES } from './recipes.ts';
import { matchMembers, recordsSection } from './records.ts';

const SUMMARY =
  'Venture capital data over HTTP and JSON: startups, funds, funding rounds, valuations, people, news ' +
  'and a change feed, metered in credits. Most questions need one call.';

/** `/llms.txt`: what there is, and where. */
export function llms(): string {
  const link = (title: string, url: string, note: string): string =>
    `- [${title}](${url}): ${note}`;
  return document('# Venture Capital Data Service', SUMMARY, [
    [
      '',
      `The data API is at ${AT.base} (GET only, key in \`X-Api-Key\`), the access API, which issues keys, at ${AT.auth}. Read ${AT.access}/${ASSETS.llmsFull} before the first call: it has every name, value and price, so that no call is needed to learn the schema.\n\n${RULES}`,
    ],
    [
      'For assistants',
      [
        link(
          'Everything on one page',
          `${AT.access}/${ASSETS.llmsFull}`,
          'rules, prices, fields, values, recipes',
        ),
        link(
          'MCP server',
          `${AT.data}/mcp`,
          'the same data as tools (streamable HTTP): connect with this address alone and sign in (OAuth), or send a key as bearer',
        ),
        link('auth.md', `${AT.access}/${ASSETS.auth}`, 'how a program gets access for a person'),
        link(
          'Skill',
          `${AT.access}/skills/venture-capital-data/${ASSETS.skill}`,
          'when and how an agent uses the HTTP API',
        ),
        link('server.json', `${AT.access}/${ASSETS.server}`, 'the entry for the MCP registry'),
      ].join('\n'),
    ],
    [
      'Descriptions',
      [
        link(
          'OpenAPI of the data API',
          `${AT.auth}/${ASSETS.dataApi}`,
          'every path, parameter, field, error',
        ),
        link(
          'OpenAPI of the access API',
          `${AT.auth}/${ASSETS.accessApi}`,
          'registration, balance, tokens',
        ),
        link(
          'OData service',
          `${AT.data}/odata/v4/$metadata`,
          'the collections for Excel and Power BI',
        ),
        link('Root of the data API', AT.base, 'its endpoints as JSON, without a key'),
        link('Root of the access API', AT.auth, 'its endpoints, bodies and limits as JSON'),
        link('Rate card', `${AT.base}/pricing`, 'prices and plans as JSON; needs a key, free'),
      ].join('\n'),
    ],
    [
      'Documentation',
      [
        link('Documentation', `${AT.access}/docs/`, 'quickstart, guides, reference, for people'),
        link('Account', `${AT.access}/account`, 'keys, usage and credits, for people'),
      ].join('\n'),
    ],
  ]);
}

/** `/llms-full.txt`: everything an assistant needs to answer questions with few calls. */
export function llmsFull(): string {
  const data = readDescription('data-api');
  const access = readDescription('access-api');
  const recipes = RECIPES.map(({ question, calls, note }) => {
    const priced = calls.map((call) => `\`${call}\` (${maximumPrice(call)})`);
    return `- ${question}: ${priced.join(' then ')}${note === undefined ? '' : `. ${note}`}`;
  });
  return document('# Venture Capital Data Service: everything for assistants', SUMMARY, [
    [
      '',
      `Data API: ${AT.base} (below: paths without a host). Access API: ${AT.auth}. MCP server: ${AT.data}/mcp. All calls of the data API are GET, but POST /companies/match.`,
    ],
    ['Rules', RULES],
    [
      'Recipes',
      `In parentheses: the most that the call costs, in credits.\n\n${recipes.join('\n')}`,
    ],
    ['Get a key', keySection(access)],
    ['Credits', creditsSection(data)],
    ['Query language', QUERY_LANGUAGE],
    [
      'Endpoints',
      `A collection returns a JSON array of records, a search an array of matches (${matchMembers(data)}), \`$count=true\` \`{"count": n}\`, a listing of values \`${members(data, 'DimensionValues')}\`, facets \`${members(data, 'Facets')}\` (\`facets\`: values by dimension). Collections accept \`$top $skip $filter $orderby $select $expand $count\`, single records \`$select $expand\`, all calls \`quote\`. An \`{id}\` is the \`Id\` of a record. The price is in parentheses, in credits.\n\n${endpointLines(data).join('\n')}`,
    ],
    [
      'Records',
      `F filterable (with the operators of its type, or those in parentheses), S sortable, C in the response. \`[]\` several values. Types: usd is whole US dollars; instant is ISO 8601 in UTC.\n\n${recordsSection(data)}`,
    ],
    ['Closed values', closedLines().join('\n')],
    ['Dimensions', `Entities: ${ENTITIES}.\n\n${dimensionLines().join('\n')}`],
    ['Categories', CATEGORIES],
    ['Signals', `${SIGNALS}\n\n${signalLines(data).join('\n')}`],
    ['Errors', errorsSection()],
  ]);
}

function members(api: Description, component: string): string {
  return `{${Object.keys(api.schema(component).properties ?? {}).join(', ')}}`;
}

function document(
  title: string,
  summary: string,
  sections: readonly (readonly [heading: string, text: string])[],
): string {
  const blocks = sections.map(([heading, text]) =>
    heading === '' ? text.trim() : `## ${heading}\n\n${text.trim()}`,
  );
  return `${[title, `> ${summary}`, ...blocks].join('\n\n')}\n`;
}
