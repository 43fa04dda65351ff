import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type ClientOptions, createClient } from '@vcds/client';
import { withReadableArguments } from './lenient.ts';
import { withReadableError } from './protocol-errors.ts';
import { createMcpServer } from './server.ts';

/**
 * Answers one message of streamable HTTP with one JSON response. Nothing is kept between messages,
 * so any replica can answer the next one. Serves the protocol of 2026, whose requests describe
 * themselves, and earlier versions, whose handshake is answered without a session.
 *
 * @param body the parsed body of the request.
 * @param options the client for the calls of the tools.
 * @param onError called for every bug of a tool.
 * @throws the reason of the request's signal if it is aborted.
 */
export async function handleMcpRequest(
  request: Request,
  body: unknown,
  options: ClientOptions,
  onError?: (error: unknown) => void,
): Promise<Response> {
  const open = () => createMcpServer(createClient(options), onError);
  const parsed = { parsedBody: withReadableArguments(body) };
  const isLegacy = await isLegacyRequest(request, parsed.parsedBody);
  const { signal } = request;
  signal.throwIfAborted();
  // A closed transport never answers.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  if (!isLegacy) {
    const handler = createMcpHandler(open, { legacy: 'reject', maxSubscriptions: 0 });
    return readable(await Promise.race([handler.fetch(request, parsed), aborted]));
  }
  const server = open();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await readable(await Promise.race([transport.handleRequest(request, parsed), aborted]));
  } finally {
    await server.close();
  }
}

async function readable(response: Response): Promise<Response> {
  const text = await response.text();
  const isError = text.includes('"error":{"code":-32');
  const { status, headers } = response;
  const body = isError ? JSON.stringify(withReadableError(JSON.parse(text))) : text;
  return new Response(body === '' ? null : body, { status, headers });
}
