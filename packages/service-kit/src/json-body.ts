import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import { readBody } from './read-body.ts';

/** The bounds of a body (docs/spec/limits.md 12.3). */
export interface BodyBounds {
  readonly bytesMax: number;
  /** Members of objects and elements of lists, in all. */
  readonly membersMax: number;
}

const BOUNDS: BodyBounds = { bytesMax: 16 * 1024, membersMax: 1_000 };
const DEPTH_MAX = 32;

/**
 * The JSON body of a request.
 *
 * @throws ApiError `unsupported_media_type` unless it is `application/json` in UTF-8 and not
 *   compressed, `body_too_large` above `bytesMax` (16 KiB), `bad_json` if it is not valid JSON or has
 *   more than `membersMax` (1,000) members or 32 levels; these are counted before it is parsed.
 * @param texts `composed`: in NFC, as stored texts are; `as sent`: for a body whose ids are sent back.
 */
export async function readJsonBody(
  request: IncomingMessage,
  bounds: Partial<BodyBounds> = {},
  texts: 'composed' | 'as sent' = 'composed',
): Promise<unknown> {
  const { bytesMax, membersMax } = { ...BOUNDS, ...bounds };
  assertJson(request);
  const bytes = await readBody(request, bytesMax, () => tooLarge(bytesMax));
  try {
    assertShape(bytes, membersMax);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text, texts === 'composed' ? composed : undefined) as unknown;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message = 'The request body is not valid JSON in UTF-8.';
    throw new ApiError('bad_json', message, {}, { cause: error });
  }
}

function assertJson({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) || encoding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      'Send the body as Content-Type: application/json, in UTF-8 and not compressed.',
    );
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** `[` and `{`, `]` and `}`: they differ in one bit. */
const [OPEN, CLOSE, BRACE_BIT] = [0x5b, 0x5d, 0x20];

/** Counts members and levels of a JSON text in UTF-8, without parsing it. */
function assertShape(bytes: Buffer, membersMax: number): void {
  let members = 0;
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA) members += 1;
    else if ((byte & ~BRACE_BIT) === OPEN) {
      members += 1;
      depth += 1;
    } else if ((byte & ~BRACE_BIT) === CLOSE) depth -= 1;
    if (members > membersMax || depth > DEPTH_MAX) throw tooComplex(membersMax);
  }
}

function tooComplex(membersMax: number): ApiError {
  return new ApiError(
    'bad_json',
    `The request body may have ${membersMax} members and ${DEPTH_MAX} levels.`,
  );
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('body_too_large', `Request body too large; the limit is ${bytesMax} bytes.`);
}

function composed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.normalize('NFC') : value;
}
