import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const PROGRAM = fileURLToPath(new URL('../../../../packages/mcp/dist/cli.js', import.meta.url));

export function httpTransport(url: string, headers: Readonly<Record<string, string>>) {
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
}

/** Starts vcds-mcp. */
export function stdioTransport(url: string, key: string) {
  const env = { VCDS_API_KEY: key, VCDS_BASE_URL: `${url}/v2` };
  return new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env });
}

/** @param mode `auto` uses the protocol of 2026, `legacy` the handshake. */
export async function connect(
  transport: Parameters<Client['connect']>[0],
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/** The answer of a tool, as text and as JSON, and whether it is an error. */
export async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
  const [{ text } = { text: '' }] = content as { text: string }[];
  return { isError: isError === true, text, body: JSON.parse(text), structuredContent };
}

/** A request to `/mcp`, in addition to the key and the headers that clients send. */
export interface Message {
  readonly method?: string;
  readonly query?: string;
  /** The target of the request as it is sent, in place of `/mcp` and the query. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends a message; unlike `fetch`, also with a Host of its own. */
export async function postMessage(url: string, key: string, message: Message) {
  const { method = 'POST', query = '', target, headers, body = '', signal } = message;
  const all = {
    'X-Api-Key': key,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  };
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = request(`${url}/mcp${query}`, {
        method,
        headers: all,
        ...(target !== undefined && { path: target }),
        ...(signal && { signal }),
      });
      sent.once('error', reject).once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        const { statusCode: status = 0, headers: received } = response;
        response.once('end', () => resolve({ status, headers: received, body: text }));
      });
      sent.end(body);
    },
  );
}

export const rpc = (method: string, params: object | undefined, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
export const toolCall = (name: string, args: object | string | null): string =>
  rpc('tools/call', { name, arguments: args });
export const initialize = (protocolVersion: string): string =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } });
export const LIST = rpc('tools/list', {});
