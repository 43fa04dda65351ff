import type { IncomingMessage } from 'node:http';
import type { ApiError } from './errors.ts';

/** The client closed the connection before the end of its request; it gets no response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

const readers = new WeakMap<IncomingMessage, (reason: Error) => void>();

/**
 * The whole body of a request.
 *
 * @param bytesMax maximum number of bytes that are read; further ones are discarded.
 * @throws the error that `tooLarge` makes above `bytesMax`, {@link ClientGone} when the connection
 *   ends before the body, or the error of {@link failBody}.
 */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number,
  tooLarge: () => ApiError,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const fail = (reason: Error): void => {
      chunks.length = 0;
      readers.delete(request);
      reject(reason);
    };
    const onGone = (): void => {
      if (!request.complete)
        fail(new ClientGone('The client disconnected before the end of its request.'));
    };
    readers.set(request, fail);
    request.on('error', onGone).on('close', onGone);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= bytesMax) chunks.push(chunk);
      else fail(tooLarge());
    });
    request.on('end', () => {
      readers.delete(request);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Makes a running `readBody` throw `reason`; false if none is running. */
export function failBody(request: IncomingMessage, reason: ApiError): boolean {
  const fail = readers.get(request);
  fail?.(reason);
  return fail !== undefined;
}
