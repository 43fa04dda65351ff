import { ApiError, ClientGone, contextOf, type Route } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { isSameOrigin, readFormBody } from './form-body.ts';
import { foreignFormPage, type Page, problemPage, sendPage } from './page.ts';
import { signInPage } from './sign-in-pages.ts';
import {
  isOwnerVisit,
  type OwnerVisit,
  openVisit,
  type Visit,
  type VisitOptions,
} from './visit.ts';

const SEE_OTHER = 303;
/** Processor time of reading an account, which is not measured. */
const READ_MS = 3;

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
  const answerOwner: AreaPage['answer'] = (visit) =>
    isOwnerVisit(visit) ? answer(visit) : askToSignIn(visit);
  return { method, path, answer: answerOwner };
}

/**
 * The routes of the account area, where `manage_url` and the mailed link lead: server-rendered
 * pages, and a session cookie. A POST is processed only if one of our own pages sent it. Every error is
 * answered with a page.
 */
export function areaRoutes(options: VisitOptions, pages: readonly AreaPage[]): Route[] {
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
          return sendPage(response, foreignFormPage());
        }
        const form = isPost ? await readFormBody(request) : new URLSearchParams();
        const { isSessionNeeded = true } = page;
        visit = await openVisit(options, request, response, form, isSessionNeeded);
        const { work } = contextOf(request);
        work.resume();
        if (visit.session !== undefined) work.add(READ_MS);
        send(response, await page.answer(visit), visit);
      } catch (error) {
        if (response.headersSent || error instanceof ClientGone) throw error;
        send(response, failure(request, error), visit);
      }
    },
  }));
}

function askToSignIn(visit: Visit): Page {
  const notice =
    visit.request.method === 'POST'
      ? 'You are no longer signed in. Nothing was changed.'
      : 'Sign in to see this page.';
  return signInPage({ status: 401, notice });
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

function send(response: Response, answer: Answer, visit: Visit | undefined): void {
  if (!('redirectTo' in answer)) {
    sendPage(response, answer, { isSignedIn: visit?.session !== undefined });
    return;
  }
  response.statusCode = SEE_OTHER;
  response.setHeader('Location', answer.redirectTo);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
}
