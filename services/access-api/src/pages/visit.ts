import type { Request, Response } from 'express';
import { SESSION_SECONDS, type Session, type SessionStore } from '../accounts/session-store.ts';
import { newCookieSecret, readCookie, writeCookie } from './cookies.ts';
import { FORM_TOKEN_FIELD, formTokenField, isFormToken } from './form-token.ts';
import type { Html } from './html.ts';

/** One request of a person: who they are, what they asked, and how forms are tied to them. */
export interface Visit {
  readonly request: Request;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST. */
  readonly form: URLSearchParams;
  readonly session: Session | undefined;
  /** The hidden field every form on the answer carries; asking for it may set a cookie. */
  token(): Html;
  /** Whether the form that was sent was made for this visitor. */
  isOwnForm(): boolean;
  /** A new session in place of whatever there was: nothing known before opens it. */
  signIn(accountId: string): Promise<void>;
  signOut(): Promise<void>;
}

/** A visit of somebody signed in. */
export interface OwnerVisit extends Visit {
  readonly session: Session;
}

export function isOwnerVisit(visit: Visit): visit is OwnerVisit {
  return visit.session !== undefined;
}

export interface VisitOptions {
  readonly sessions: SessionStore;
  /** Public root of access-api. */
  readonly publicUrl: string;
}

/** @throws ApiError `unavailable` when there is a session to look up and Redis does not answer. */
export async function openVisit(
  { sessions, publicUrl }: VisitOptions,
  request: Request,
  response: Response,
  form: URLSearchParams,
): Promise<Visit> {
  const isSecure = request.secure || new URL(publicUrl).protocol === 'https:';
  const presented = readCookie(request, 'session', isSecure);
  let session = presented === undefined ? undefined : await sessions.find(presented);
  let formSecret = readCookie(request, 'form', isSecure);
  const become = (next: Session | undefined): void => {
    session = next;
    const maxAgeSeconds = SESSION_SECONDS;
    writeCookie(response, 'session', next?.token, { isSecure, maxAgeSeconds });
  };
  return {
    request,
    params: paramsOf(request),
    query: queryOf(request),
    form,
    get session() {
      return session;
    },
    token: () => {
      if (session !== undefined) return formTokenField(session.token);
      if (formSecret === undefined) {
        formSecret = newCookieSecret();
        writeCookie(response, 'form', formSecret, { isSecure });
      }
      return formTokenField(formSecret);
    },
    isOwnForm: () => {
      const secret = session?.token ?? formSecret;
      return secret !== undefined && isFormToken(secret, form.get(FORM_TOKEN_FIELD));
    },
    signIn: async (accountId) => {
      const begun = await sessions.begin(accountId);
      if (presented !== undefined) await sessions.end(presented);
      if (formSecret !== undefined) writeCookie(response, 'form', undefined, { isSecure });
      formSecret = undefined;
      become(begun);
    },
    signOut: async () => {
      if (session !== undefined) await sessions.end(session.token);
      become(undefined);
    },
  };
}

function paramsOf({ params }: Request): Readonly<Record<string, string>> {
  const texts = Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

function queryOf({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1));
}
