/** Files with which programs connect: the entry of the MCP registry, `auth.md` and a skill. */
import { reversedHost } from '../index.ts';
import { AT } from './guide.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** `server.json`: the entry of this server in the MCP registry. */
export function serverJson(version: string): string {
  const entry = {
    $schema: SCHEMA,
    name: `${reversedHost(AT.data)}/venture-capital-data`,
    title: 'Venture Capital Data Service',
    description:
      'Startups, funds, rounds, valuations, people and news: find, count, aggregate, follow.',
    version,
    websiteUrl: `${AT.access}/docs/assistants`,
    remotes: [
      { type: 'streamable-http', url: `${AT.data}/mcp` },
      {
        type: 'streamable-http',
        url: `${AT.data}/mcp/key`,
        headers: [
          {
            name: 'Authorization',
            description: 'An API key of the account page.',
            value: 'Bearer {api_key}',
            isRequired: true,
            isSecret: true,
            variables: {
              api_key: { description: 'The API key.', isRequired: true, isSecret: true },
            },
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}

/** `auth.md`: how a program gets access for a person. Its blocks run, in their order. */
export function authMd(): string {
  return `# auth.md

For programs that read venture capital data for a person. The data is at ${AT.data}, the authorization server and the account pages are at
${AT.access}. A person has to take part once: they receive an email, which creates a free account if they have none.

## An MCP client: the address is enough

Connect to \`${AT.data}/mcp\`. Its 401 leads to the metadata, and a client of the protocol does the rest (OAuth 2.1).

## OAuth by hand

1. Read the metadata of the resource and of the authorization server.

~~~sh
curl -fsS '${AT.data}/.well-known/oauth-protected-resource/mcp'
curl -fsS '${AT.access}/.well-known/oauth-authorization-server'
~~~

2. Use the https address of your client id metadata document as \`client_id\`, or register. All clients are public.

~~~sh
curl -fsS '${AT.access}/oauth/register' -H 'Content-Type: application/json' \\
  -d '{"client_name":"My program","redirect_uris":["http://127.0.0.1:33418/callback"]}'
~~~

3. Open \`${AT.access}/oauth/authorize\` in the browser of the person: \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`state\`,
   \`code_challenge\` with \`code_challenge_method=S256\`, \`resource=${AT.data}/mcp\`, and optionally \`scope\` (\`scopes_supported\` of the metadata). They choose what you
   may read, and a limit of credits a month.
4. Redeem \`code\` within a minute at \`${AT.access}/oauth/token\`, with \`code_verifier\`. The access token is valid for an hour at \`/mcp\` alone. A refresh
   replaces both tokens: store the new ones, because an old refresh token ends the connection.
5. To end the connection, send a token to \`${AT.access}/oauth/revoke\`. The person can end it on ${AT.access}/account.

## A key, without a browser

For the HTTP API, and for \`${AT.data}/mcp/key\`. Register the address of the person:

~~~sh
curl -fsS '${AT.access}/api/v1/auth/register' -H 'Content-Type: application/json' -d "{\\"email\\":\\"$EMAIL\\"}"
~~~

Ask them for the six digits in the message, and exchange these for a key, which is shown once and valid for 30 days:

~~~sh
curl -fsS '${AT.access}/api/v1/auth/verify' -H 'Content-Type: application/json' -d "{\\"email\\":\\"$EMAIL\\",\\"code\\":\\"$CODE\\"}"
~~~

~~~sh
curl -fsS '${AT.access}/api/v1/usage' -H "X-Api-Key: $VCDS_API_KEY"
~~~
`;
}

/** `SKILL.md`: when and how an agent uses the HTTP API. Its blocks run. */
export function skillMd(): string {
  return `---
name: venture-capital-data
description: Answers questions about startups, venture capital funds, funding rounds, investors, valuations and startup news with the Venture Capital Data Service. Use it when a person asks who funded a company, what a market or fund looks like, or how much was raised.
---

# Venture capital data

Prefer the MCP server \`${AT.data}/mcp\`, if your client can connect to one: it signs the person in. Otherwise call the HTTP API with a key in
\`VCDS_API_KEY\`. Without a key follow ${AT.access}/auth.md. Read ${AT.access}/llms-full.txt before the first call: it has all names, values and prices.

## Steps

1. Find the company; take ids from answers, never invent them.

~~~sh
curl -fsSG '${AT.base}/companies/search' -H "X-Api-Key: $VCDS_API_KEY" --data-urlencode 'q=Stripe' -d top=3
~~~

2. Count instead of listing; the price of a list is per record.

~~~sh
curl -fsSG '${AT.base}/startups' -H "X-Api-Key: $VCDS_API_KEY" --data-urlencode "\\$filter=Country eq 'France'" --data-urlencode '$count=true'
~~~

3. Get sums, medians and rankings in one call of 1 credit.

~~~sh
curl -fsSG '${AT.base}/aggregates' -H "X-Api-Key: $VCDS_API_KEY" -d entity=rounds \\
  --data-urlencode 'measures=count,sum(Amount)' --data-urlencode 'by=year(Date)'
~~~

4. If a call could cost more than expected, ask for its price first: add \`quote=true\`, which is free. \`X-Credits-Max\` limits a call.

~~~sh
curl -fsSG '${AT.base}/startups' -H "X-Api-Key: $VCDS_API_KEY" --data-urlencode '$top=20' --data-urlencode '$expand=FundingRounds' -d quote=true
~~~

## Rules

- An error is free and names the parameter to change, often with a \`suggestion\`. Apply it once; do not repeat a call unchanged.
- Amounts are whole US dollars; null means unknown, not zero. Say so in the answer.
- Say what the calls cost (\`X-Credits-Charged\`) if the person asks, and stop at \`credits_exhausted\`.
- Never write the key into an answer or a file.
`;
}
