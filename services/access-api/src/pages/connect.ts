import { SCOPES } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import type { Response } from 'express';
import { type AccountViewOptions, readAccount } from '../accounts/account-view.ts';
import { CONNECT_PATH, mcpResource, type PublicUrls } from '../keys/endpoints.ts';
import { creationError, readCreditLimit } from '../keys/key-rules.ts';
import type { Encryption } from '../oauth/encryption.ts';
import { CONNECTION_SECONDS, type Grants } from '../oauth/grants.ts';
import { type ConnectRequest, openRequest } from '../oauth/provider.ts';
import { issuerOf } from '../oauth/routes.ts';
import {
  type Answer,
  type AreaPage,
  isOwnerVisit,
  type OwnerVisit,
  openPage,
  type Visit,
} from './area.ts';
import { html } from './html.ts';
import {
  chosenScopes,
  grantedScopes,
  LIMIT_FIELD,
  limitField,
  NO_SCOPE,
  scopeBoxes,
  UNFINISHED,
} from './key-parts.ts';
import { type Page, sendPage, textPage } from './layout.ts';
import { note } from './parts.ts';
import { signInForm } from './sign-in-form.ts';

interface ConnectOptions extends AccountViewOptions, PublicUrls {
  readonly grants: Pick<Grants, 'consent'>;
  readonly encryption: Encryption;
}

const DAYS = CONNECTION_SECONDS / 86_400;

/** Connecting an assistant: what it may do, and whether it may (docs/spec/oauth.md 28.4). */
export function connectPages(options: ConnectOptions): AreaPage[] {
  return [
    openPage('GET', CONNECT_PATH, (visit) =>
      withRequest(options, visit, (owner, request) => consentForm(options, owner, request)),
    ),
    openPage('POST', CONNECT_PATH, (visit) =>
      withRequest(options, visit, (owner, request) => decide(options, owner, request)),
    ),
  ];
}

async function withRequest(
  { encryption }: ConnectOptions,
  visit: Visit,
  answer: (owner: OwnerVisit, request: ConnectRequest) => Promise<Answer>,
): Promise<Answer> {
  const encrypted = visit.query.get('request') ?? '';
  const request = openRequest(encryption, encrypted);
  if (request === undefined) return overPage();
  if (isOwnerVisit(visit)) {
    visit.continueAt(undefined);
    return answer(visit, request);
  }
  visit.continueAt(`${CONNECT_PATH}?request=${encrypted}`);
  const notice = `Sign in to connect ${request.clientName}. Open the link from the message in this browser.`;
  return signInForm({ status: visit.request.method === 'POST' ? 401 : 200, notice });
}

async function decide(
  options: ConnectOptions,
  { session, form, isStillSignedIn }: OwnerVisit,
  request: ConnectRequest,
): Promise<Answer> {
  if (form.get('decision') !== 'allow') {
    return { redirectTo: answerUrl(options, request, { error: 'access_denied' }) };
  }
  const chosen = chosenScopes(form);
  const entered = form.get(LIMIT_FIELD) ?? '';
  const limit = readCreditLimit(entered);
  if ('fault' in limit || chosen.size === 0) {
    const fault = chosen.size === 0 ? NO_SCOPE : undefined;
    const limitError = 'fault' in limit ? limit.fault : undefined;
    const said = { status: 400, chosen, entered, limitError, fault };
    return consentForm(options, { session }, request, said);
  }
  const { accountId } = session;
  const { clientDigest, clientName, redirectUri, codeChallenge } = request;
  const consent = options.grants.consent({
    ...{ accountId, clientDigest, clientName, redirectUri, codeChallenge, isStillSignedIn },
    ...{ scopes: grantedScopes(chosen), creditLimit: limit.creditLimit },
    resource: mcpResource(options),
  });
  const made = await orUnavailable(consent, UNFINISHED);
  if (made.status !== 'created') {
    return textPage(409, 'Not connected', [creationError(made.status)]);
  }
  return { redirectTo: answerUrl(options, request, { code: made.code }) };
}

/** The address of the client with the answer (RFC 6749 4.1.2, RFC 9207). */
function answerUrl(
  urls: PublicUrls,
  { redirectUri, state }: ConnectRequest,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const all = { ...answer, ...(state === undefined ? {} : { state }), iss: issuerOf(urls) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

interface FormState {
  readonly status?: number;
  readonly chosen?: ReturnType<typeof chosenScopes>;
  readonly entered?: string;
  readonly limitError?: string | undefined;
  readonly fault?: string | undefined;
}

async function consentForm(
  options: ConnectOptions,
  { session }: Pick<OwnerVisit, 'session'>,
  request: ConnectRequest,
  said: FormState = {},
): Promise<Page> {
  const { email, plan } = await readAccount(options, session.accountId);
  const { clientHost, clientName, redirectUri, scopes } = request;
  const asked = new Set(scopes.length === 0 ? SCOPES : scopes);
  const { status = 200, chosen = asked, entered = '', limitError, fault } = said;
  const target = new URL(redirectUri);
  const whose =
    clientHost === undefined
      ? html`It gave this name itself; <strong>it is not checked</strong>.`
      : html`It is described by <strong>${clientHost}</strong>.`;
  return {
    status,
    title: 'Connect an assistant?',
    formTarget: target.protocol.startsWith('http') ? target.origin : target.protocol,
    body: html`${note(fault, 'bad')}
<p><strong><bdi>${clientName}</bdi></strong> wants to read data with your account${
      email === null ? undefined : html` <strong>${email}</strong>`
    }. ${whose} Your answer goes to <strong>${target.host || target.protocol}</strong>.</p>
<p>Connect it only if you have just started this yourself. Its calls use the credits of your account. The
connection ends after ${DAYS} days; you can end it at any time on the account page.</p>
<form method="post">
${scopeBoxes(SCOPES, chosen, plan)}
${limitField(entered, limitError, 'connection')}
<p class="actions"><button type="submit" name="decision" value="allow">Connect</button>
<button class="second" type="submit" name="decision" value="deny">Cancel</button></p>
</form>`,
  };
}

/** An authorization request that is not valid: only the person leads to the client. */
export function showRejection(response: Response, reason: string, back: URL): void {
  const body = html`<p>${REJECTED}</p>
<p>${reason}</p>
<p><a rel="noreferrer" href="${back.href}">Back to ${back.host}</a></p>`;
  sendPage(response, { status: 400, title: 'Not connected', body });
}

const REJECTED = 'The assistant sent a request that is not valid. Its maker needs the next line.';

function overPage(): Page {
  const why =
    'The request of the assistant is incomplete or older than 30 minutes. Start again there.';
  return textPage(400, 'This request is over', [why]);
}
