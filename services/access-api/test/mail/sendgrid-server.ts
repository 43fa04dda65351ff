import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a message to be sent, as SendGrid's v3 interface has it. */
export interface SendRequest {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: SendBody;
}

export interface SendBody {
  readonly personalizations: readonly { readonly to: readonly { readonly email: string }[] }[];
  readonly from: { readonly email: string; readonly name?: string };
  readonly subject: string;
  readonly content: readonly { readonly type: string; readonly value: string }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly tracking_settings: Readonly<Record<string, { readonly enable: boolean }>>;
}

/** Answers one request; the number of it, from 1. */
export type Answer = (response: ServerResponse, count: number) => void;

export type SendgridServer = Awaited<ReturnType<typeof startSendgridServer>>;

export const accept: Answer = (response) => void response.writeHead(202).end();

/** Rejects as SendGrid does: with a list of errors that repeats the input. */
export const reject =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    const errors = [{ message: 'ada@mail.example and 123456 are bad', field: 'to', help: null }];
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify({ errors }));
  };

/** A server on 127.0.0.1 with `POST /v3/mail/send`. */
export async function startSendgridServer() {
  const requests: SendRequest[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body: SendBody = JSON.parse(Buffer.concat(parts).toString());
    requests.push({ headers: request.headers, path: request.url ?? '', body });
    sendgrid.answer(response, requests.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sendgrid = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    answer: accept,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return sendgrid;
}
