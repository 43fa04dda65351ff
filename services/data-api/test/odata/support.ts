import { expect } from '@jest/globals';
import { closedAfterAll, type HttpReply, httpCalls } from '@vcds/test-kit';
import { openApi } from '../support/api.ts';

export const ROOT = 'http://data.example/odata/v4';

export type Entity = Readonly<Record<string, unknown>>;
export interface Page {
  readonly value: readonly Entity[];
  readonly '@odata.context': string;
  readonly '@odata.nextLink'?: string;
  readonly '@odata.count'?: number;
}
export type Options = Readonly<Record<string, string>>;

/** The API, and calls of its OData service. */
export async function openService() {
  const api = await closedAfterAll(openApi());
  const calls = await closedAfterAll(Promise.resolve(httpCalls(api.url)));

  function get(path: string, query: Options = {}, headers: Options = {}): Promise<HttpReply> {
    const parameters = new URLSearchParams(query);
    const url = parameters.size === 0 ? path : `${path}?${parameters}`;
    return calls.send('GET', `/odata/v4${url}`, headers);
  }

  async function page(path: string, query: Options = {}, headers: Options = {}): Promise<Page> {
    const reply = await get(path, query, headers);
    expect([reply.status, reply.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return reply.body as Page;
  }

  /** All entities, by following the links. */
  async function all(path: string, query: Options, headers: Options = {}): Promise<Entity[]> {
    const found: Entity[] = [];
    let next = await page(path, query, headers);
    for (;;) {
      found.push(...next.value);
      const link = next['@odata.nextLink'];
      if (link === undefined) return found;
      expect(link.startsWith(`${ROOT}/`)).toBe(true);
      next = await page(link.slice(ROOT.length), {}, headers);
    }
  }

  return { api, calls, get, page, all };
}

export const errorIn = ({ body }: HttpReply) => (body as { readonly error: Entity }).error;
