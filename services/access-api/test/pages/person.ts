import type { Express } from 'express';
import request, { type Response } from 'supertest';
import { type Fixture, newAddress, newClient, open } from '../registration/fixture.ts';

const KEY = /pk_live_[0-9A-Za-z]{49}/;

/** The header of a form that one of our own pages sends. */
const SAME_ORIGIN: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' };

/** A user with a browser, which stores cookies. */
export class Person {
  readonly cookies = new Map<string, string>();
  readonly #app: Express | string;
  /** Every address a network may register from is used up quickly; each person has their own. */
  readonly #client: string;

  /** @param app the app, or the root of its URL. */
  constructor(app: Express | string, client = newClient()) {
    this.#app = app;
    this.#client = client;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#kept(request(this.#app).get(path).set(this.#headers()).set(headers));
  }

  /** Sends a form, by default as our own pages do. */
  post(
    path: string,
    fields: Record<string, string | readonly string[]> = {},
    headers: Record<string, string> = SAME_ORIGIN,
  ): Promise<Response> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const each of [value].flat()) body.append(name, each);
    }
    const call = request(this.#app).post(path).type('form').set(this.#headers()).set(headers);
    return this.#kept(call.send(body.toString()));
  }

  /** Sends anything at all, as a form would be sent. */
  send(path: string, type: string, body: Buffer): Promise<Response> {
    const call = request(this.#app).post(path).set(this.#headers()).set(SAME_ORIGIN).type(type);
    return this.#kept(call.serialize((data) => data).send(body));
  }

  #headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { 'X-Forwarded-For': this.#client, ...(cookie === '' ? {} : { Cookie: cookie }) };
  }

  async #kept(call: PromiseLike<Response>): Promise<Response> {
    const answer = await call;
    for (const cookie of setCookies(answer)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

/** The Set-Cookie headers of an answer. */
export function setCookies({ headers }: Response): string[] {
  return [headers['set-cookie'] ?? []].flat();
}

/** The key a page shows. */
export function keyOn({ text }: Response): string {
  const [key] = KEY.exec(text) ?? [];
  if (key === undefined) throw new Error(`There is no key on this page: ${text}`);
  return key;
}

/** Somebody who came by a mailed link and is signed in; with the key it made, if wanted. */
export async function signedIn(
  fixture: Fixture,
  { email = newAddress(), wantsKey = false }: { email?: string; wantsKey?: boolean } = {},
): Promise<{ person: Person; email: string; accountId: string; landing: Response }> {
  const person = new Person(fixture.app);
  const path = new URL((await open(fixture, email)).linkUrl).pathname;
  const landing = await person.post(path, wantsKey ? {} : { key: 'none' });
  const account = await fixture.access.history.findAccount({ email });
  if (account === null) throw new Error(`${email} has no account: ${landing.text}`);
  return { person, email, accountId: account.id, landing };
}
