import { get, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

/** Calls an address once; resolves when the whole answer is there. Lighter than `fetch`. */
export function httpGet(url: string, options: RequestOptions) {
  return new Promise<{ status: number; text: string; link: string | undefined }>(
    (resolve, reject) => {
      const request = get(url, options, (response) => {
        const status = response.statusCode ?? 0;
        const link = response.headers.link?.toString();
        text(response).then((read) => resolve({ status, text: read, link }), reject);
      });
      request.on('error', reject);
    },
  );
}
