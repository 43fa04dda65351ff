// Tests docs/spec/registration.md 3.9.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigError, createLogger } from '@vcds/service-kit';
import { describeWithData, testFolder } from '@vcds/test-kit';
import { decode, encode, type Packet } from 'dns-packet';
import {
  loadDisposableDomains,
  readDomainsFile,
} from '../../src/registration/disposable-domains.ts';
import { createMailDomainCheck } from '../../src/registration/mail-domain.ts';
import { dnsServersOf } from '../../src/registration/registration-config.ts';

const lines: string[] = [];
const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
const asked: string[] = [];
let server: Socket;

// Low four bits of the flags (RFC 1035 §4.1.1).
const SERVFAIL = 2;
const NXDOMAIN = 3;
const RCODE_5 = 5;

/** A resolver on loopback with a few names. */
function answerTo(name: string): Partial<Packet> | undefined {
  const mx = (exchange: string, preference = 10) => ({
    answers: [{ type: 'MX' as const, name, ttl: 60, data: { preference, exchange } }],
  });
  switch (name) {
    case 'mail.example':
      return mx('mx1.mail.example');
    case 'null.example':
      return mx('.', 0);
    case 'nothing.example':
      return { flags: NXDOMAIN };
    case 'failing.example':
      return { flags: SERVFAIL };
    case 'rejecting.example':
      return { flags: RCODE_5 };
    case 'silent.example':
      return undefined;
    default:
      return {};
  }
}

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (message, { port, address }) => {
    const { id, questions } = decode(message);
    const name = questions?.[0]?.name ?? '';
    asked.push(name);
    const answer = answerTo(name);
    if (answer === undefined) return;
    server.send(encode({ type: 'response', id, questions, ...answer } as Packet), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

const check = (timeoutMs?: number) =>
  createMailDomainCheck({
    servers: [`127.0.0.1:${server.address().port}`],
    logger,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

describe('the MX look-up, against a resolver on loopback', () => {
  test.each([
    ['a domain with an MX record takes mail', 'mail.example', true],
    ['one without does not', 'web-only.example', false],
    ['one whose record says that it takes none does not', 'null.example', false],
    ['one that does not exist does not', 'nothing.example', false],
    ['when the resolver fails, the address is accepted', 'failing.example', true],
    ['when the resolver rejects the query, the address is accepted', 'rejecting.example', true],
  ])('%s', async (_name, domain, takes) => {
    expect(await check()(domain)).toBe(takes);
    expect(asked).toContain(domain);
  });

  test('a silent resolver costs at most the time limit, and the address is accepted', async () => {
    // A stalled process delays both timers.
    const late = delay(1_900, 'too late', { ref: false });
    expect(await Promise.race([check(300)('silent.example'), late])).toBe(true);
    expect(lines.join('')).toContain('MX look-up failed');
    expect(lines.join('')).not.toContain('silent.example');
  });

  test('the limit is 2 s, over all resolvers together', async () => {
    const port = server.address().port;
    const servers = [`127.0.0.1:${port}`, `127.0.0.1:${port}`];
    const checking = createMailDomainCheck({ servers, logger })('silent.example');
    const times = [1_900, 3_900].map((ms) => delay(ms, ms, { ref: false }));
    expect(await Promise.race([checking, times[0]])).toBe(1_900);
    expect(await Promise.race([checking, times[1]])).toBe(true);
  });

  test('a look-up that is given up does not end the others', async () => {
    const [silent, known] = await Promise.all([
      check(200)('silent.example'),
      check()('mail.example'),
    ]);
    expect([silent, known]).toEqual([true, true]);
  });
});

describe('DNS_SERVERS', () => {
  test('takes addresses, with ports or without', () => {
    expect(dnsServersOf(undefined)).toBeUndefined();
    expect(dnsServersOf('9.9.9.9, 127.0.0.1:5353,2620:fe::fe,[::1]:53')).toEqual([
      '9.9.9.9',
      '127.0.0.1:5353',
      '2620:fe::fe',
      '[::1]:53',
    ]);
  });

  test.each(['dns.example', '9.9.9.9,', '9.9.9.9:99999', '[::1]', '9.9.9.9:x'])(
    '%j names the variable',
    (text) => {
      expect(() => dnsServersOf(text)).toThrow(ConfigError);
      expect(() => dnsServersOf(text)).toThrow(/^DNS_SERVERS /);
    },
  );
});

const LISTS = 'reference/disposable';
const folder = await testFolder('domains-');

describe('disposable domains', () => {
  test('are those of two published lists, and those whose names tell', async () => {
    const isDisposable = await loadDisposableDomains(new Set());
    const disposable = [
      ...['tempmail.com', 'tempmail.org', 'temp-mail.org', 'tempemail.com', 'tmpmail.com'],
      ...['mailinator.com', 'guerrillamail.com', 'yopmail.com', 'getnada.com', 'dispostable.com'],
      ...['10minutemail.com', '15minutemail.com', '20-minute-mail.net', 'minutemail.com'],
      ...['throwawaymail.org', 'disposablemail.com', 'trash-mail.com', 'fakeinbox.com'],
      ...['tempmail.dev', 'temp-mail.io', 'burnermail.io', 'mx.tempmail.com'],
    ];
    expect(disposable.filter((domain) => !isDisposable(domain))).toEqual([]);
  });

  test('are no domains of mailboxes that people keep, relays that hide an address included', async () => {
    const isDisposable = await loadDisposableDomains(new Set());
    const kept = [
      ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.fr', 'yahoo.co.jp', 'icloud.com'],
      ...['proton.me', 'tuta.com', 'keemail.me', 'fastmail.com', 'mailbox.org', 'posteo.de'],
      ...['gmx.net', 'web.de', 'qq.com', '163.com', 'mail.ru', 'yandex.ru', 'naver.com', 'wp.pl'],
      ...['duck.com', 'mozmail.com', 'privaterelay.appleid.com', 'passmail.net', 'addy.io'],
      ...['template.com', 'temporalmail.example', 'mailbox.example', 'inbox.lv', 'email.cz'],
    ];
    expect(kept.filter(isDisposable)).toEqual([]);
  });

  const write = async (text: string): Promise<string> => {
    const file = join(folder, 'domains.txt');
    await writeFile(file, text);
    return file;
  };

  test("the operator's list stands beside the published one; both cover what is below", async () => {
    const own = readDomainsFile(await write('# ours\nSpam.example\r\n\nbücher.example # why\n'));
    const isDisposable = await loadDisposableDomains(own);
    const disposable = [
      'mailinator.com',
      'a.b.mailinator.com',
      'spam.example',
      'x.spam.example',
      'xn--bcher-kva.example',
    ];
    for (const domain of disposable) expect(isDisposable(domain)).toBe(true);
    for (const domain of ['example.com', 'notspam.example', 'gmail.com', 'example', 'com']) {
      expect(isDisposable(domain)).toBe(false);
    }
  });

  test('no file is an empty list', () => {
    expect(readDomainsFile(undefined).size).toBe(0);
  });

  test('errors of an unreadable file and of a malformed line contain the variable', async () => {
    expect(() => readDomainsFile(join(folder, 'absent'))).toThrow(/^DISPOSABLE_DOMAINS_FILE /);
    const file = await write('good.example\nnot a domain\n');
    expect(() => readDomainsFile(file)).toThrow('DISPOSABLE_DOMAINS_FILE: line 2 is not a domain.');
  });
});

describeWithData(
  'published lists of disposable domains',
  (folder) => {
    test.each([
      ['disposable_email_blocklist.conf', 1],
      ['disposable-disposable-domains.txt', 0.85],
    ])('%s is covered, to a share of %d at least', async (name, share) => {
      const list = await readFile(join(folder, LISTS, name), 'utf8');
      const domains = list.split('\n').filter((line) => line !== '');
      expect(domains.length).toBeGreaterThan(8_000);
      const covered = domains.filter(await loadDisposableDomains(new Set())).length;
      expect(covered / domains.length).toBeGreaterThanOrEqual(share);
    });
  },
  [LISTS],
);
