#!/usr/bin/env node
/** `vcds-mcp`: the MCP server over standard input and output. */
import { createClient, LOCAL_BASE_URL } from '@vcds/client';
import { cutText } from './cut-text.ts';
import { VERSION } from './version.ts';

const USAGE = `vcds-mcp ${VERSION}: MCP server of the Venture Capital Data Service, over stdin and stdout.

Usage: vcds-mcp [--help | --version]

Environment:
  VCDS_API_KEY   required: the API key whose account pays for the calls
  VCDS_BASE_URL  root of the data API (default: ${LOCAL_BASE_URL})
`;

/** Ends the process with one line on stderr; stdout carries the protocol only. */
function fail(message: string): never {
  process.stderr.write(`vcds-mcp: ${message}\n`);
  process.exit(1);
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}

async function serve(): Promise<void> {
  const { VCDS_API_KEY: apiKey, VCDS_BASE_URL: baseUrl } = process.env;
  if (!apiKey) fail('VCDS_API_KEY is missing. Set it to an API key (pk_live_…).');
  if (baseUrl && !isUrl(baseUrl)) fail('VCDS_BASE_URL is not a URL.');
  const userAgent = `vcds-mcp/${VERSION}`;
  // The assistant decides about longer waits: the error has the seconds.
  const retry = { serverErrors: 0, waitSecondsMax: 5 };
  const client = clientOf({ apiKey, baseUrl: baseUrl || undefined, userAgent, retry });
  // Loaded last, so that a wrong environment is reported at once.
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { lenientStdio } = await import('./stdio.ts');
  const { createMcpServer } = await import('./server.ts');
  const connection = serveStdio(() => createMcpServer(client), {
    transport: lenientStdio(),
    onerror: ({ message }) => process.stderr.write(`vcds-mcp: ${message}\n`),
  });
  const end = (): void => void connection.close().finally(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  process.stdin.once('close', end);
  process.stdout.once('error', end);
}

function clientOf(options: Parameters<typeof createClient>[0]) {
  try {
    return createClient(options);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const [option, ...rest] = process.argv.slice(2);
if (option === undefined) await serve();
else if (rest.length > 0) fail('Too many arguments; see vcds-mcp --help.');
else if (option === '--help' || option === '-h') process.stdout.write(USAGE);
else if (option === '--version') process.stdout.write(`${VERSION}\n`);
else fail(`Unexpected argument '${cutText(option, 100)}'; see vcds-mcp --help.`);
