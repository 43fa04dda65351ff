import { get, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

/** Calls an address once; resolves when the whole answer is there. Lighter than `fetch`. */
export function httpGet(url: string, options: RequestOptions) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = get(url, options, (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((read) => resolve({ status, text: read }), reject);
    });
    request.on('error', reject);
  });
}
