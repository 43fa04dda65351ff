import { createHash } from 'node:crypto';
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
export function isTextFile(name: string): boolean {
  return TEXT_TYPES.has(extensionOf(name));
}

/** A file in memory. */
export type SiteFile = ReturnType<typeof createSiteFile>;

interface SiteFileOptions {
  readonly cacheControl: string;
  /** Undefined: that of every response. */
  readonly contentSecurityPolicy: string | undefined;
}

export function createSiteFile(name: string, bytes: Buffer, options: SiteFileOptions) {
  const extension = extensionOf(name);
  const textType = TEXT_TYPES.get(extension);
  const stored = new Map<string, Promise<Buffer>>();
  return {
    bytes,
    type: textType ?? OTHER_TYPES.get(extension) ?? 'application/octet-stream',
    isText: textType !== undefined,
    /** Identifies the content, without quotes. */
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 27),
    ...options,
    /** The compressed content: computed on first use, then stored. */
    encoded: (encoding: 'br' | 'gzip'): Promise<Buffer> => {
      const known = stored.get(encoding);
      if (known !== undefined) return known;
      const compressed =
        encoding === 'br' ? brotliCompressed(bytes, BROTLI) : gzipCompressed(bytes);
      stored.set(encoding, compressed);
      return compressed;
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
  const { bytes, type, isText, digest, cacheControl, contentSecurityPolicy } = file;
  const isSmall = bytes.byteLength < COMPRESSED_BYTES_MIN;
  const encoding = isSmall || !isText ? 'identity' : preferredEncoding(request);
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', cacheControl);
  if (isText) response.setHeader('Vary', 'Accept-Encoding');
  if (contentSecurityPolicy !== undefined) {
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  }
  if (status === 200) {
    response.setHeader('ETag', `"${encoding === 'identity' ? digest : `${digest}-${encoding}`}"`);
    if (request.fresh) {
      response.removeHeader('Content-Type');
      response.status(304).end();
      return;
    }
  }
  const body = encoding === 'identity' ? bytes : await file.encoded(encoding);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.statusCode = status;
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function preferredEncoding(request: Request): 'br' | 'gzip' | 'identity' {
  const accepted = request.acceptsEncodings('br', 'gzip', 'identity');
  return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
