import { ApiError, contextOf, type Route, seeUrl } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { type Link, parseLink, SIGN_IN_PATH } from '../registration/link.ts';
import type { Registrations } from '../registration/registrations.ts';
import { type Page, sendPage } from './page.ts';
import { confirmPage, goneLinkPage, keyPage, unavailablePage } from './sign-in-pages.ts';

const RETRY_AFTER_SECONDS = 30;

export interface SignInRoutesOptions {
  readonly registrations: Pick<Registrations, 'isLinkOpen' | 'useLink'>;
  /** Public root of data-api, without a version segment. */
  readonly dataPublicUrl: string;
}

/**
 * The mailed link (decisions §7). GET only shows a button, because mail scanners follow links; the
 * POST that the button makes uses the link, once, and its answer is the one place the key is
 * shown: not in a URL, not in a log, and not again when the page is loaded anew.
 */
export function signInRoutes({ registrations, dataPublicUrl }: SignInRoutesOptions): Route[] {
  const path = `${SIGN_IN_PATH}/:link`;
  const show = async (link: Link): Promise<Page> =>
    (await registrations.isLinkOpen(link)) ? confirmPage() : goneLinkPage();
  const use = async (link: Link): Promise<Page> => {
    const issued = await registrations.useLink(link);
    return issued === undefined ? goneLinkPage() : keyPage(issued, seeUrl(dataPublicUrl, '/v2'));
  };
  return [
    { method: 'GET', path, surface: 'page', handler: withLink(show) },
    { method: 'POST', path, surface: 'page', handler: withLink(use) },
  ];
}

function withLink(answer: (link: Link) => Promise<Page>): Route['handler'] {
  return async (request: Request, response: Response) => {
    const text = request.params.link;
    const link = typeof text === 'string' ? parseLink(text) : undefined;
    if (link === undefined) {
      sendPage(response, goneLinkPage());
      return;
    }
    try {
      sendPage(response, await answer(link));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unavailable')) throw error;
      contextOf(request).logger.warn({ error: error.cause ?? error }, 'page refused');
      response.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
      sendPage(response, unavailablePage());
    }
  };
}
