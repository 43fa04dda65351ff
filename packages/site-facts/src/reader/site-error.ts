/** Why a site was not read. The reasons are codes of the API (docs/spec/errors.md). */
export type SiteReason =
  /** The text is not a website. */
  | 'bad_parameter'
  /** The site, or one that it redirects to, is not on the public internet. */
  | 'address_not_public'
  /** No such host, no connection, no valid response, or a status such as 404 or 500. */
  | 'site_unreachable'
  /** No complete response within the time limit. */
  | 'site_timeout'
  /** robots.txt forbids it, or the site responded 401, 403, 407, 429 or 451. */
  | 'site_refused'
  /** The response is not HTML. */
  | 'not_html'
  /** The page is above 2 MB. */
  | 'site_too_large'
  /** Too many reads at a time, of the account, in all, or of this host. */
  | 'too_many_requests'
  /** Redis is unavailable, without which no site is read. */
  | 'unavailable';

export interface SiteErrorDetails extends ErrorOptions {
  /** The HTTP status that the site responded with. */
  readonly status?: number | undefined;
  /** When to try again; for `too_many_requests` and `unavailable`. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A site was not read. The message is a sentence for the client who gave the website. */
export class SiteError extends Error {
  override readonly name = 'SiteError';
  readonly reason: SiteReason;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: SiteReason, message: string, details: SiteErrorDetails = {}) {
    super(message, details);
    this.reason = reason;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

const OUTAGE_RETRY_SECONDS = 5;

/** The reply of Redis. Without it no site is read: its limits could not be kept. */
export async function orUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (cause) {
    const retryAfterSeconds = OUTAGE_RETRY_SECONDS;
    const message = 'Sites cannot be read temporarily.';
    throw new SiteError('unavailable', message, { retryAfterSeconds, cause });
  }
}
