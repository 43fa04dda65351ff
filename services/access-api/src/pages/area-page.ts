import { ApiError, ClientGone, contextOf, type Route } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { readFormBody } from './form-body.ts';
import { type Page, sendPage } from './page.ts';
import { foreignFormPage, outdatedFormPage, problemPage } from './problem-pages.ts';
import { isFromHere } from './same-origin.ts';
import { signInPage } from './sign-in-pages.ts';
import {
  isOwnerVisit,
  type OwnerVisit,
  openVisit,
  type Visit,
  type VisitOptions,
} from './visit.ts';

const SEE_OTHER = 303;

/** What a visit is answered with: a page, or another place to look at. */
export type Answer = Page | { readonly redirectTo: string };

/** One row of the account area's table of pages. */
export interface AreaPage {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Whether it is for those signed in alone. */
  readonly isForOwners: boolean;
  readonly answer: (visit: Visit) => Answer | Promise<Answer>;
}

/** A page anybody may come to. */
export function openPage(
  method: AreaPage['method'],
  path: string,
  answer: AreaPage['answer'],
): AreaPage {
  return { method, path, isForOwners: false, answer };
}

/** A page for those signed in; others are asked to sign in, and nothing is done. */
export function ownerPage(
  method: AreaPage['method'],
  path: string,
  answer: (visit: OwnerVisit) => Answer | Promise<Answer>,
): AreaPage {
  const answerOwner: AreaPage['answer'] = (visit) =>
    isOwnerVisit(visit) ? answer(visit) : askToSignIn(visit);
  return { method, path, isForOwners: true, answer: answerOwner };
}

/**
 * The routes of the area. A POST is carried out only if the browser says it comes from one of our
 * pages, and if its form was made for this visitor. Whatever goes wrong is answered as a page.
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
        if (isPost && !isFromHere(request, options.publicUrl)) {
          return refuse(request, response, 'sent by another site', foreignFormPage());
        }
        const form = isPost ? await readFormBody(request) : new URLSearchParams();
        visit = await openVisit(options, request, response, form);
        const isStranger = page.isForOwners && visit.session === undefined;
        if (isPost && !isStranger && !visit.isOwnForm()) {
          return refuse(request, response, 'not issued to this visitor', outdatedFormPage());
        }
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
  return signInPage(visit.token(), { status: 401, notice });
}

function refuse(request: Request, response: Response, why: string, page: Page): void {
  contextOf(request).logger.warn({ why }, 'form refused');
  sendPage(response, page);
}

function failure(request: Request, error: unknown): Page {
  const { logger } = contextOf(request);
  if (!(error instanceof ApiError)) {
    logger.error({ error }, 'page failed');
    return problemPage(new ApiError('internal_error', 'The page could not be created.'));
  }
  if (error.status >= 500) logger.warn({ error: error.cause ?? error }, 'page refused');
  return problemPage(error);
}

function send(response: Response, answer: Answer, visit: Visit | undefined): void {
  if (!('redirectTo' in answer)) {
    sendPage(response, answer, visit?.session === undefined ? undefined : visit.token());
    return;
  }
  response.statusCode = SEE_OTHER;
  response.setHeader('Location', answer.redirectTo);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
}
