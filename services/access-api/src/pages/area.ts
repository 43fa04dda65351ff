import {
  ApiError,
  ClientGone,
  contextOf,
  type Route,
  readBody,
  readQueryString,
} from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { Transaction } from '../accounts/database.ts';
import type { Session, SessionStore } from '../accounts/session.ts';
import type { Html } from './html.ts';
import { foreignFormPage, type Page, problemPage, sendPage } from './layout.ts';
import {
  readContinuation,
  readSessionCookie,
  writeContinuation,
  writeSessionCookie,
} from './session-cookie.ts';
import { signInForm } from './sign-in-form.ts';

const SEE_OTHER = 303;
/** Processor time of reading an account, which is not measured. */
const READ_MS = 3;

/** A browser's request for a page: its parameters, and the session, if the user is signed in. */
export interface Visit {
  readonly request: Request;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  /** The fields of a POST. */
  readonly form: URLSearchParams;
  readonly session: Session | undefined;
  /** Replaces the session, if any, by a new one with a new token. */
  signIn(accountId: string): Promise<void>;
  signOut(): Promise<void>;
  /** Whether the session has not ended, under the lock of a change of the account. */
  isStillSignedIn(tx: Transaction): Promise<boolean>;
  /** Where a person goes on after signing in in this browser: a path of the area. */
  readonly continuation: string | undefined;
  /** Sets it for half an hour, or ends it. */
  continueAt(path: string | undefined): void;
}

/** A visit of a signed-in user. */
export type OwnerVisit = Visit & { readonly session: Session };

export interface AreaOptions {
  readonly sessions: SessionStore;
  /** Public root of access-api. */
  readonly accessPublicUrl: string;
  readonly footer: Html;
}

/** The response to a visit: a page or a redirection. */
export type Answer = Page | { readonly redirectTo: string };

/** One row of the account area's table of pages. */
export interface AreaPage {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (visit: Visit) => Answer | Promise<Answer>;
  /** Whether the answer depends on who is signed in; default true. */
  readonly isSessionNeeded?: boolean;
}

/** A page for everyone. */
export function openPage(
  method: AreaPage['method'],
  path: string,
  answer: AreaPage['answer'],
): AreaPage {
  return { method, path, answer };
}

/** A page for signed-in users; others get the sign-in form, and nothing is changed. */
export function ownerPage(
  method: AreaPage['method'],
  path: string,
  answer: (visit: OwnerVisit) => Answer | Promise<Answer>,
): AreaPage {
  const notice =
    method === 'POST'
      ? 'You are no longer signed in. Nothing was changed.'
      : 'Sign in to see this page.';
  return {
    ...{ method, path },
    answer: (visit) => (isOwnerVisit(visit) ? answer(visit) : signInForm({ status: 401, notice })),
  };
}

export function isOwnerVisit(visit: Visit): visit is OwnerVisit {
  return visit.session !== undefined;
}

/**
 * The routes of the account area, where `manage_url` and the mailed link lead: server-rendered
 * pages, and a session cookie. A POST is processed only if one of our own pages sent it. Every error is
 * answered with a page.
 */
export function areaRoutes(options: AreaOptions, pages: readonly AreaPage[]): Route[] {
  return pages.map((page) => ({
    method: page.method,
    path: page.path,
    surface: 'page',
    handler: async (request, response) => {
      let visit: Visit | undefined;
      const isPost = request.method === 'POST';
      try {
        if (isPost && !isSameOrigin(request, options.accessPublicUrl)) {
          contextOf(request).logger.warn('rejected a form from another origin');
          return sendPage(response, foreignFormPage(), options);
        }
        const form = isPost ? await readForm(request) : new URLSearchParams();
        visit = await openVisit(options, request, response, { form, ...page });
        const { work } = contextOf(request);
        work.resume();
        if (visit.session !== undefined) work.add(READ_MS);
        send(response, await page.answer(visit), visit, options);
      } catch (error) {
        if (response.headersSent || error instanceof ClientGone) throw error;
        send(response, failure(request, error), visit, options);
      }
    },
  }));
}

/**
 * Opens a visit. Without a need for a session, it is that of a user who is not signed in; `signOut`
 * ends the session of the cookie all the same.
 *
 * @throws ApiError `unavailable` if a session is to be found while Redis or PostgreSQL is unavailable.
 */
async function openVisit(
  { sessions, accessPublicUrl }: AreaOptions,
  request: Request,
  response: Response,
  { form, isSessionNeeded = true }: { form: URLSearchParams; isSessionNeeded?: boolean },
): Promise<Visit> {
  const isSecure = request.secure || new URL(accessPublicUrl).protocol === 'https:';
  const presented = readSessionCookie(request, isSecure);
  const isSought = isSessionNeeded && presented !== undefined;
  let session = isSought ? await sessions.find(presented) : undefined;
  const replaceSession = async (next: Session | undefined): Promise<void> => {
    if (presented !== undefined) await sessions.end(presented);
    session = next;
    writeSessionCookie(response, next?.token, isSecure);
  };
  const params = Object.entries(request.params).filter(([, value]) => typeof value === 'string');
  return {
    ...{ request, form, params: Object.fromEntries(params) as Visit['params'] },
    query: readQueryString(request).parameters,
    get session() {
      return session;
    },
    signIn: async (accountId) => replaceSession(await sessions.begin(accountId)),
    signOut: () => replaceSession(undefined),
    isStillSignedIn: async (tx) => (await sessions.find(session?.token ?? '', tx)) !== undefined,
    continuation: readContinuation(request, isSecure),
    continueAt: (path) => writeContinuation(response, path, isSecure),
  };
}

function failure(request: Request, error: unknown): Page {
  const { logger } = contextOf(request);
  if (!(error instanceof ApiError)) {
    logger.error({ error }, 'failed to render a page');
    return problemPage(new ApiError('internal_error', 'The page could not be created.'));
  }
  if (error.status >= 500) logger.warn({ error: error.cause ?? error }, 'page unavailable');
  return problemPage(error);
}

function send(
  response: Response,
  answer: Answer,
  visit: Visit | undefined,
  { footer }: Pick<AreaOptions, 'footer'>,
): void {
  if (!('redirectTo' in answer)) {
    sendPage(response, answer, { isSignedIn: visit?.session !== undefined, footer });
    return;
  }
  response.statusCode = SEE_OTHER;
  response.setHeader('Location', answer.redirectTo);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
}

/**
 * Whether one of our own pages sent a form: the protection against cross-site request forgery.
 * `Sec-Fetch-Site`, which no page can set, must be `same-origin`. Browsers without it, and all
 * browsers over plain HTTP, send `Origin`, which must then be that of the public URL, under which
 * browsers reach this service, also behind a proxy.
 */
function isSameOrigin({ headers }: Request, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;
const FORM_BYTES_MAX = 16 * 1024;

/**
 * The fields of a form. No body is a form without fields.
 *
 * @throws ApiError `unsupported_media_type` unless it is an uncompressed urlencoded form,
 *   `body_too_large` above 16 KiB, `bad_request` for what is not UTF-8.
 */
async function readForm(request: Request): Promise<URLSearchParams> {
  const tooLarge = () =>
    new ApiError('body_too_large', `A form may have at most ${FORM_BYTES_MAX} bytes.`);
  const bytes = await readBody(request, FORM_BYTES_MAX, tooLarge);
  if (bytes.byteLength === 0) return new URLSearchParams();
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FORM_TYPE.test(type) || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'A form must be URL-encoded and not compressed.');
  }
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new ApiError('bad_request', 'The form is not in UTF-8.', {}, { cause: error });
  }
}
