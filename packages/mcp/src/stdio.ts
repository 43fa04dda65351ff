import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { withReadableArguments } from './lenient.ts';
import { withReadableError } from './protocol-errors.ts';

/** Standard input and output, whose messages may have null or a text as `arguments`. */
export function lenientStdio(): Transport {
  const stdio = new StdioServerTransport();
  const transport: Transport = {
    start: () => stdio.start(),
    send: (message) => stdio.send(withReadableError(message)),
    close: () => stdio.close(),
  };
  stdio.onmessage = (message) => transport.onmessage?.(withReadableArguments(message));
  stdio.onclose = () => transport.onclose?.();
  stdio.onerror = (error) => transport.onerror?.(error);
  return transport;
}
