import {
  type CallToolResult,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Client, Parameters, Path } from '@vcds/client';
import { ArgumentError, acceptedArguments } from './arguments.ts';
import { fit, mostGroups } from './fit.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { CHARACTERS_MAX, MARGIN } from './page-size.ts';
import { INTERNAL, problemOf } from './problems.ts';
import { PROMPTS } from './prompts.ts';
import { CREDITS_MAX, type Schema } from './schemas.ts';
import { TOPICS } from './tools/describe.ts';
import { TOOLS } from './tools/index.ts';
import type { Arguments, Response, Tool } from './tools/tool.ts';
import { VERSION } from './version.ts';

type Caller = Pick<Client, 'get' | 'post'>;

const CUT =
  'Long texts are shortened, and lists with a count beside them, such as Funds@count, have more elements.';
const OF_RECORDS =
  ' get_record returns one record with more of them; expand "Funds($skip=5)" continues a list after 5.';
const CACHE_MS = 3_600_000;

/**
 * An MCP server whose tools call the data API through a client. It keeps no state between calls; make
 * one for each connection, or for each request of a transport without sessions.
 *
 * @param onError called for every bug of a tool; its caller gets `internal_error`.
 */
export function createMcpServer(client: Caller, onError?: (error: unknown) => void): McpServer {
  const cached = { ttlMs: CACHE_MS, cacheScope: 'public' } as const;
  const server = new McpServer(
    { name: 'vcds', title: 'Venture Capital Data Service', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        ...{ tools: { listChanged: false }, resources: { listChanged: false } },
        prompts: { listChanged: false },
      },
      cacheHints: {
        ...{ 'tools/list': cached, 'resources/list': cached, 'resources/read': cached },
        'prompts/list': cached,
      },
    },
  );
  for (const tool of TOOLS) {
    const { name, title, description, input, output, readsWeb = false } = tool;
    server.registerTool(
      name,
      {
        ...{ title, description, inputSchema: listed(input), outputSchema: listed(output) },
        annotations: { title, readOnlyHint: true, idempotentHint: true, openWorldHint: readsWeb },
      },
      async (args, { mcpReq: { signal } }) => {
        try {
          return resultOf(await run(tool, args, client, signal));
        } catch (error) {
          const problem = problemOf(tool.quoted?.(args as Arguments) ?? tool, error);
          if (problem === INTERNAL && !signal.aborted) onError?.(error);
          return { ...resultOf(problem), isError: true };
        }
      },
    );
  }
  for (const [name, topic] of Object.entries(TOPICS)) {
    const uri = `vcds://schema/${name}`;
    const mimeType = 'application/json';
    server.registerResource(name, uri, { title: `Schema: ${name}`, mimeType }, () => ({
      contents: [{ uri, mimeType, text: JSON.stringify(topic) }],
    }));
  }
  for (const { name, title, description, input, text } of PROMPTS) {
    const argsSchema = listed(input, (given) => acceptedArguments(input, given));
    server.registerPrompt(name, { title, description, argsSchema }, (args) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(args) } }],
    }));
  }
  return server;
}

// Lists a schema as it is. `run` validates the arguments of tools, so that its errors have the shape of all others.
function listed<Args = unknown>(
  schema: Schema,
  read?: (given: unknown) => Args,
): StandardSchemaWithJSON<unknown, Args> {
  const json = () => schema as Record<string, unknown>;
  return {
    '~standard': {
      ...{ version: 1, vendor: 'vcds', jsonSchema: { input: json, output: json } },
      validate: (value) => {
        try {
          return { value: read === undefined ? (value as Args) : read(value) };
        } catch (error) {
          if (error instanceof ArgumentError) return { issues: [{ message: error.message }] };
          throw error;
        }
      },
    },
  };
}

function resultOf(value: Readonly<Record<string, unknown>>): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(value) }];
  return 'error' in value ? { content } : { content, structuredContent: value };
}

/** @throws ArgumentError, VcdsError */
async function run(
  tool: Tool,
  given: unknown,
  client: Caller,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const args = acceptedArguments(tool.input, given);
  const call = tool.call?.(args);
  if (call === undefined)
    return tool.answer(args, { data: null, hasNext: false, cursor: null, limit: null });
  const options = { signal, creditsMax: Number(args.max_credits ?? CREDITS_MAX) };
  const { data, credits, next, isNextOmitted, hints } = await (call.body === undefined
    ? client.get(call.path as Path, call.parameters as Parameters<Path>, options)
    : client.post(call.path, call.body, call.parameters, options));
  const response = {
    data,
    hasNext: next !== null || isNextOmitted,
    cursor: cursorIn(next),
    limit: credits.limit,
  };
  const hinted = hints.length === 0 ? {} : { hints };
  return { ...boundedAnswer(tool, args, response), ...hinted, credits };
}

function cursorIn(next: string | null): string | null {
  const query = new URLSearchParams(next?.split('?')[1]);
  return query.get('$skiptoken') ?? query.get('cursor');
}

/** The answer of a tool within {@link CHARACTERS_MAX}, with its continuation. */
export function boundedAnswer(
  tool: Tool,
  args: Arguments,
  response: Response,
): Record<string, unknown> {
  const { firstOf } = tool;
  if (firstOf !== undefined) {
    return mostGroups((most) => firstOf(args, response, most), CHARACTERS_MAX - MARGIN);
  }
  const next = tool.next?.(args, response) ?? {};
  const whole = { ...tool.answer(args, response), ...next };
  const { value, isCut } = fit(whole, CHARACTERS_MAX - MARGIN, tool.recordsIn);
  return isCut ? { ...value, ...next, cut: tool.readsWeb ? CUT : CUT + OF_RECORDS } : value;
}
