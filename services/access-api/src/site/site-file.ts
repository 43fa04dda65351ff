import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const brotliCompressed = promisify(brotliCompress);
const gzipCompressed = promisify(gzip);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const COMPRESSED_BYTES_MIN = 1024;

/** The types by extension: text is compressed, and may contain placeholders. */
const TEXT_TYPES: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['md', 'text/markdown; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
]);
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['ico', 'image/x-icon'],
  ['png', 'image/png'],
  ['tgz', 'application/gzip'],
  ['webp', 'image/webp'],
  ['woff2', 'font/woff2'],
]);

/** Whether a file is served as text. */
function isTextFile(name: string): boolean {
  return TEXT_TYPES.has(extensionOf(name));
}

/** A file that is read when it is asked for. */
export interface SiteFile {
  readonly type: string;
  readonly isText: boolean;
  /** Undefined: that of every response. */
  readonly contentSecurityPolicy: string | undefined;
  /**
   * The content. Compressed it is kept, so that only what is asked for takes memory, once.
   *
   * @throws Error if the file cannot be read any more.
   */
  readonly content: (encoding: Encoding) => Promise<Content>;
}

interface SiteFileOptions extends Pick<SiteFile, 'contentSecurityPolicy'> {
  /** The text as it is served. */
  readonly served: (text: string) => string;
  readonly cacheControlOf: (isUnchanged: boolean) => string;
}

type Encoding = 'br' | 'gzip' | 'identity';

interface Content {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  /** Identifies the content in this encoding, without quotes. */
  readonly tag: string;
  readonly cacheControl: string;
}

export function createSiteFile(file: string, options: SiteFileOptions): SiteFile {
  const { served, cacheControlOf, contentSecurityPolicy } = options;
  const extension = extensionOf(file);
  const isText = isTextFile(file);
  const read = async (): Promise<Content> => {
    const stored = await readFile(file);
    const text = isText ? stored.toString('utf8') : '';
    const answered = served(text);
    const bytes = answered === text ? stored : Buffer.from(answered);
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
    return { bytes, encoding: 'identity', tag, cacheControl: cacheControlOf(answered === text) };
  };
  const compressed = async (encoding: 'br' | 'gzip'): Promise<Content> => {
    const content = await read();
    if (content.bytes.byteLength < COMPRESSED_BYTES_MIN) return content;
    const bytes =
      encoding === 'br'
        ? await brotliCompressed(content.bytes, BROTLI)
        : await gzipCompressed(content.bytes);
    return { ...content, bytes, encoding, tag: `${content.tag}-${encoding}` };
  };
  const kept = new Map<Encoding, Promise<Content>>();
  return {
    type: TEXT_TYPES.get(extension) ?? OTHER_TYPES.get(extension) ?? 'application/octet-stream',
    isText,
    contentSecurityPolicy,
    content: (encoding) => {
      if (encoding === 'identity' || !isText) return read();
      const known = kept.get(encoding) ?? compressed(encoding);
      kept.set(encoding, known);
      known.catch(() => kept.delete(encoding));
      return known;
    },
  };
}

/** Sends a file: 304 if the client has it, else compressed if the client accepts that. */
export async function sendSiteFile(
  request: Request,
  response: Response,
  file: SiteFile,
  status = 200,
): Promise<void> {
  const { type, isText, contentSecurityPolicy } = file;
  const { bytes, encoding, tag, cacheControl } = await file.content(preferredEncoding(request));
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', cacheControl);
  if (isText) response.setHeader('Vary', 'Accept-Encoding');
  if (contentSecurityPolicy !== undefined) {
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  }
  if (status === 200) {
    response.setHeader('ETag', `"${tag}"`);
    if (request.fresh) {
      response.removeHeader('Content-Type');
      response.status(304).end();
      return;
    }
  }
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.statusCode = status;
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function preferredEncoding(request: Request): Encoding {
  const accepted = request.acceptsEncodings('br', 'gzip', 'identity');
  return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
