import { readQueryString } from '@vcds/service-kit';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { SESSION_SECONDS, type Session, type SessionStore } from '../accounts/session.ts';

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
}

/** A visit of a signed-in user. */
export interface OwnerVisit extends Visit {
  readonly session: Session;
}

export function isOwnerVisit(visit: Visit): visit is OwnerVisit {
  return visit.session !== undefined;
}

export interface VisitOptions {
  readonly sessions: SessionStore;
  /** Public root of access-api. */
  readonly accessPublicUrl: string;
}

/**
 * @param isSessionNeeded false opens it as that of a user who is not signed in; `signOut` ends the
 * session of the cookie all the same.
 * @throws ApiError `unavailable` if a session is to be found while Redis or PostgreSQL is unavailable.
 */
export async function openVisit(
  { sessions, accessPublicUrl }: VisitOptions,
  request: Request,
  response: Response,
  form: URLSearchParams,
  isSessionNeeded: boolean,
): Promise<Visit> {
  const isSecure = request.secure || new URL(accessPublicUrl).protocol === 'https:';
  const presented = readSessionCookie(request, isSecure);
  const isSought = isSessionNeeded && presented !== undefined;
  let session = isSought ? await sessions.find(presented) : undefined;
  const setSession = (next: Session | undefined): void => {
    session = next;
    writeSessionCookie(response, next?.token, isSecure);
  };
  return {
    request,
    params: paramsOf(request),
    query: readQueryString(request).parameters,
    form,
    get session() {
      return session;
    },
    signIn: async (accountId) => {
      const begun = await sessions.begin(accountId);
      if (presented !== undefined) await sessions.end(presented);
      setSession(begun);
    },
    signOut: async () => {
      if (presented !== undefined) await sessions.end(presented);
      setSession(undefined);
    },
  };
}

function paramsOf({ params }: Request): Readonly<Record<string, string>> {
  const texts = Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** The token in the session cookie; undefined unless there is exactly one such cookie. */
export function readSessionCookie(
  { headers: { cookie = '' } }: Request,
  isSecure: boolean,
): string | undefined {
  const name = cookieName(isSecure);
  // A second cookie of the name was planted by another host. Cookies of others may be long, and are skipped.
  const [before = '', found, ...others] = cookie.split(`${name}=`);
  const isFirst = before.trimEnd() === '' || before.trimEnd().endsWith(';');
  if (found === undefined || others.length > 0 || !isFirst) return undefined;
  return parseCookie(`${name}=${found.split(';', 1)[0]}`)[name];
}

/** Sets the session cookie, which no script can read; without a token, deletes it. */
export function writeSessionCookie(
  response: Response,
  token: string | undefined,
  isSecure: boolean,
): void {
  const cookie = stringifySetCookie({
    name: cookieName(isSecure),
    value: token ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: token === undefined ? 0 : SESSION_SECONDS,
  });
  response.appendHeader('Set-Cookie', cookie);
}

// Browsers accept a cookie with this prefix only over HTTPS and from this host itself, so that no
// neighbouring host can plant one.
function cookieName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vcds-session`;
}
