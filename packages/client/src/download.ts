import { errorOfResponse, VcdsError } from './errors.ts';

/** A file of a snapshot. */
export interface RemoteFile {
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface DownloadOptions {
  readonly fetch: typeof fetch;
  readonly apiKey: string;
  readonly signal?: AbortSignal | undefined;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const ATTEMPTS_MAX = 5;
const WAIT_MS = 1_000;

/**
 * The bytes of a file, whose digest is checked. A broken download continues where it broke. The key is
 * sent to the API only, not to a store to which it redirects.
 *
 * @throws VcdsError for a rejected call; Error if the digest differs or the connection keeps breaking.
 */
export async function download(file: RemoteFile, options: DownloadOptions): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.bytes);
  let length = 0;
  for (let attempt = 1; length < file.bytes; attempt += 1) {
    try {
      for await (const part of partsOf(file, length, options)) {
        if (length + part.byteLength > file.bytes) throw new Error(`${file.url} is too long.`);
        bytes.set(part, length);
        length += part.byteLength;
      }
    } catch (error) {
      const isFinal = error instanceof VcdsError && (error.status ?? 500) < 500;
      if (isFinal || attempt >= ATTEMPTS_MAX || options.signal?.aborted === true) throw error;
      await options.sleep(WAIT_MS * attempt, options.signal);
    }
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== file.sha256) throw new Error(`The digest of ${file.url} is not that of its list.`);
  return bytes;
}

async function* partsOf(
  { url }: RemoteFile,
  from: number,
  { fetch: send, apiKey, signal }: DownloadOptions,
): AsyncGenerator<Uint8Array> {
  const range = from === 0 ? {} : { Range: `bytes=${from}-` };
  const common = { redirect: 'manual', ...(signal && { signal }) } as const;
  let response = await send(url, { ...common, headers: { ...range, 'X-Api-Key': apiKey } });
  const location = response.headers.get('Location');
  if (response.status === 302 && location !== null) {
    response = await send(location, { ...common, headers: range });
  }
  if (response.status !== (from === 0 ? 200 : 206)) {
    throw errorOfResponse(response.status, await response.text(), undefined, undefined);
  }
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return;
    yield part.value;
  }
}
