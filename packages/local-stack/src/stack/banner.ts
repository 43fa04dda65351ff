import { relative } from 'node:path';
import type { StackSettings } from './settings.ts';

/** A running stack. */
export interface Running {
  readonly settings: StackSettings;
  readonly environment: NodeJS.ProcessEnv;
  /** Undefined unless both stores are embedded. */
  readonly apiKey: string | undefined;
  /** The data worker begins to train the models of data that this start imported. */
  readonly isTraining: boolean;
}

const TRAINING =
  '  The model of /venturematching is trained in the background: until then, in a minute or two, it answers 503.';

const SANDBOX_READY = 'The sandbox is ready: every text is a key, and no call costs credits.';

/** The root of the data API, with its version segment (`spec.md`, {base_url}). */
export function baseUrl({ dataApiUrl }: StackSettings): string {
  return `${dataApiUrl.replace(/\/$/, '')}/v2`;
}

/** The root of the access API, with its version segment (`spec.md`, {auth_url}). */
export function authUrl({ accessApiUrl }: StackSettings): string {
  return `${accessApiUrl.replace(/\/$/, '')}/api/v1`;
}

/** The start-up banner: addresses, key, three example requests, the mail folder, how to stop. */
export function banner({ settings, environment, apiKey, isTraining }: Running): string {
  const base = baseUrl(settings);
  const auth = authUrl(settings);
  const rows: [string, string][] = [
    ['Data API', base],
    ['Access API', auth],
    ['Docs', `${settings.accessApiUrl.replace(/\/$/, '')}/docs`],
    ['Explore', exploreUrl(settings, apiKey)],
    ['HTTPS', httpsLine(environment)],
    ['Mail', mailLine(settings, environment)],
    ['Key', apiKey ?? `register at ${auth}/auth/register`],
  ];
  return [
    '',
    settings.isSandbox ? SANDBOX_READY : 'Venture Capital Data Service is ready.',
    '',
    ...rows.map(([label, value]) => `  ${label.padEnd(12)}${value}`),
    '',
    '  Try it:',
    ...curlLines(base, apiKey ?? 'YOUR_KEY').map((line) => `    ${line}`),
    '',
    ...(isTraining ? [TRAINING, ''] : []),
    '  Ctrl-C stops everything and keeps the data.',
    '',
  ].join('\n');
}

/** Charts of the data. The demonstration key is in the fragment, which no browser sends. */
function exploreUrl({ accessApiUrl }: StackSettings, apiKey: string | undefined): string {
  const url = `${accessApiUrl.replace(/\/$/, '')}/docs/explore`;
  return apiKey === undefined ? url : `${url}#key=${apiKey}`;
}

/** Three requests to paste into a shell; it must not expand their `$`. */
export function curlLines(base: string, key: string): readonly string[] {
  const header = `-H 'X-Api-Key: ${key}'`;
  const filter = `--data-urlencode "\\$filter=TotalRaised ge 10000000 and OperatingStatus eq 'Active'"`;
  const order = `--data-urlencode '$orderby=TotalRaised desc'`;
  return [
    `curl -s ${header} '${base}/startups?$top=3&$select=Name,City,Founded,TotalRaised'`,
    `curl -sG ${header} ${base}/startups ${filter} ${order} -d '$top=3'`,
    `curl -s ${header} '${base}/startups/fundingrounds?$top=2&$orderby=Date%20desc&$expand=Investors'`,
  ];
}

function httpsLine(environment: NodeJS.ProcessEnv): string {
  return environment.REQUIRE_HTTPS === 'true'
    ? 'required: plain HTTP is rejected (REQUIRE_HTTPS=true)'
    : 'not required (REQUIRE_HTTPS=false): for this machine only';
}

function mailLine({ folders }: StackSettings, environment: NodeJS.ProcessEnv): string {
  if (environment.MAIL_TRANSPORT !== 'file') return `sent through ${environment.MAIL_TRANSPORT}`;
  const path = relative(process.cwd(), folders.mail);
  const folder = path.startsWith('..') ? folders.mail : path;
  return `written to ${folder}/; codes are also printed here (MAIL_TRANSPORT=file)`;
}
