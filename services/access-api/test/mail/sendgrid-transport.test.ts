import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort, testClock } from '@vcds/test-kit';

import { renderMessage } from '../../src/mail/message.ts';
import { createSendgridTransport } from '../../src/mail/sendgrid-transport.ts';
import type { DeliveryError } from '../../src/mail/transport.ts';
import { reject, type SendgridServer, startSendgridServer } from './sendgrid-server.ts';

const API_KEY = 'SG.test-key-0123456789';
const MESSAGE = renderMessage({
  registrationId: 'ab0b6c0e-6f5f-4f43-9c15-0d6b1f0c2a11',
  to: 'ada@mail.example',
  code: '123456',
  linkUrl: 'https://data.example/account/sign-in/ab.cd',
  expiresAt: new Date('2026-11-21T14:42:00Z'),
});
let server: SendgridServer;
beforeEach(async () => {
  server = await startSendgridServer();
});
afterEach(() => server.close());

interface TransportOptions {
  readonly baseUrl?: string;
  readonly from?: string;
  readonly answerMsMax?: number;
}
const transport = (options: TransportOptions = {}) =>
  createSendgridTransport({
    apiKey: API_KEY,
    from: 'VC Data <keys@data.example>',
    baseUrl: server.url,
    clock: testClock('2026-11-21T12:00:00Z'),
    ...options,
  });
const failure = async (options?: TransportOptions): Promise<DeliveryError> =>
  transport(options)
    .send(MESSAGE)
    .then(
      () => Promise.reject(new Error('It was sent.')),
      (error: DeliveryError) => error,
    );

describe('the SendGrid transport', () => {
  test('sends the message, once, with the key', async () => {
    await transport().send(MESSAGE);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      path: '/v3/mail/send',
      headers: { authorization: `Bearer ${API_KEY}` },
      body: {
        personalizations: [{ to: [{ email: 'ada@mail.example' }] }],
        from: { email: 'keys@data.example', name: 'VC Data' },
        subject: MESSAGE.subject,
        content: [
          { type: 'text/plain', value: MESSAGE.text },
          { type: 'text/html', value: MESSAGE.html },
        ],
        headers: MESSAGE.headers,
      },
    });
  });

  test('switches every kind of tracking off', async () => {
    await transport().send(MESSAGE);
    expect(server.requests[0]?.body.tracking_settings).toEqual({
      click_tracking: { enable: false, enable_text: false },
      open_tracking: { enable: false },
      subscription_tracking: { enable: false },
      ganalytics: { enable: false },
    });
  });

  test('a sender without a name is one too', async () => {
    await transport({ from: 'keys@data.example' }).send(MESSAGE);
    expect(server.requests[0]?.body.from).toEqual({ email: 'keys@data.example' });
  });

  test.each([
    ...[408, 429, 500, 502, 503, 504].map((status) => [status, false, 7_000] as const),
    ...[400, 401, 403, 404, 405, 413, 415].map((status) => [status, true, undefined] as const),
  ])('%i: final is %p, with the time to wait only for a retry', async (status, isFinal, wait) => {
    server.answer = reject(status, { 'Retry-After': '7' });
    const message = `SendGrid responded with ${status}.`;
    expect(await failure()).toMatchObject({ message, isFinal, retryAfterMs: wait });
  });

  test('a redirect is final and not followed: the key goes to one host alone', async () => {
    const other = await startSendgridServer();
    server.answer = (response) => void response.writeHead(307, { Location: other.url }).end();
    expect(await failure()).toMatchObject({
      message: 'SendGrid responded with 307.',
      isFinal: true,
    });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test('no answer in time, a slow one or a broken one may be tried again', async () => {
    const answerMsMax = 300;
    server.answer = () => undefined;
    expect(await failure({ answerMsMax })).toMatchObject({ isFinal: false });
    server.answer = (response) => {
      response.writeHead(202);
      const drip = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(drip));
    };
    // This answer never ends.
    expect(await failure({ answerMsMax })).toMatchObject({ isFinal: false });
    server.answer = (response) => void response.destroy();
    expect(await failure()).toMatchObject({
      message: 'SendGrid is unreachable (ECONNRESET).',
      isFinal: false,
    });
  });

  test('a server that is not there may be tried again', async () => {
    expect(await failure({ baseUrl: `http://127.0.0.1:${await freePort()}` })).toMatchObject({
      message: 'SendGrid is unreachable (ECONNREFUSED).',
      isFinal: false,
    });
  });

  test('no failure carries address, code, key or what the server said', async () => {
    server.answer = reject(400);
    const rejected = await failure();
    server.answer = (response) => void response.destroy();
    for (const error of [rejected, await failure()]) {
      const everything = inspect(error, { depth: 10, showHidden: true });
      expect(everything).not.toMatch(/ada@|123456|SG\.|are bad/);
    }
  });
});
