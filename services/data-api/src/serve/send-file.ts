import { ApiError } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { AnswerFile } from '../postgres/database.ts';

const RANGE = /^bytes=(\d{1,15})-/;

/**
 * Checks the range of a request before it is charged.
 *
 * @throws ApiError `bad_range` if it begins after the end of the file.
 */
export function assertRange(request: Request, { bytes }: AnswerFile): void {
  const begin = RANGE.exec(request.get('Range') ?? '')?.[1];
  if (begin === undefined || Number(begin) < bytes) return;
  throw new ApiError('bad_range', `The file has ${bytes} bytes; the range begins at ${begin}.`, {
    parameter: 'Range',
    value: request.get('Range'),
  });
}

/**
 * Sends a file, or the part of `Range`; 304 if the client has it; 302 to a store that signs addresses.
 * A client may store it, but not share it.
 */
export function sendFile(response: Response, file: AnswerFile): Promise<void> {
  response.setHeader('Cache-Control', 'private, no-cache');
  if ('url' in file) {
    response.setHeader('Location', file.url).status(302).end();
    return Promise.resolve();
  }
  response.setHeader('ETag', file.etag);
  const known = response.req.get('If-None-Match') ?? '';
  if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag)) {
    response.status(304).end();
    return Promise.resolve();
  }
  response.setHeader('Content-Type', file.type);
  const options = { cacheControl: false, lastModified: false, dotfiles: 'allow' } as const;
  return new Promise((resolve) => {
    // A client that leaves ends the response; there is nothing to send to it.
    response.sendFile(file.path, options, () => resolve());
  });
}
