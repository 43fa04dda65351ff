// Tests docs/spec/find.md 20.5.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, decode, encode, type Packet } from 'dns-packet';
import { createDnsResolve, createOutboundClient } from '../../src/outbound-http/index.ts';

const SERVFAIL = 2;
const NXDOMAIN = 3;
const TTL_SECONDS = 0;

const a = (name: string, data: string): Answer => ({ type: 'A', name, ttl: TTL_SECONDS, data });
const aaaa = (name: string, data: string): Answer => ({
  type: 'AAAA',
  name,
  ttl: TTL_SECONDS,
  data,
});
const cname = (name: string, data: string): Answer => ({
  type: 'CNAME',
  name,
  ttl: TTL_SECONDS,
  data,
});

/** Records by name and type; a number is an error, and no record is an empty answer. */
const RECORDS: Readonly<Record<string, readonly Answer[] | number | 'silent'>> = {
  'both.example A': [a('both.example', '93.184.215.14')],
  'both.example AAAA': [aaaa('both.example', '2606:4700::1111')],
  'ipv4.example A': [a('ipv4.example', '93.184.215.14'), a('ipv4.example', '93.184.215.15')],
  'ipv6.example AAAA': [aaaa('ipv6.example', '2606:4700::1111')],
  'alias.example A': [cname('alias.example', 'both.example'), a('both.example', '93.184.215.14')],
  'half.example A': [a('half.example', '93.184.215.14')],
  'half.example AAAA': SERVFAIL,
  'failing.example A': SERVFAIL,
  'failing.example AAAA': SERVFAIL,
  'nothing.example A': NXDOMAIN,
  'nothing.example AAAA': NXDOMAIN,
  'silent.example A': 'silent',
  'silent.example AAAA': 'silent',
  'private.example A': [a('private.example', '93.184.215.14')],
  'private.example AAAA': [aaaa('private.example', 'fd00::1')],
  'inside.example A': [cname('inside.example', 'db.internal'), a('db.internal', '10.0.0.1')],
};

const asked: string[] = [];
let server: Socket;
beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (message, { port, address }) => {
    const { id, questions } = decode(message);
    const [question] = questions ?? [];
    const key = `${question?.name} ${question?.type}`;
    asked.push(key);
    const found = RECORDS[key] ?? [];
    if (found === 'silent') return;
    const content = typeof found === 'number' ? { flags: found } : { answers: found };
    server.send(encode({ type: 'response', id, questions, ...content } as Packet), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(() => void server.close());

const resolve = (name: string, signal = new AbortController().signal) =>
  createDnsResolve([`127.0.0.1:${server.address().port}`])(name, signal);

describe('the addresses of a name', () => {
  test.each([
    ['both.example', ['2606:4700::1111', '93.184.215.14']],
    ['ipv4.example', ['93.184.215.14', '93.184.215.15']],
    ['ipv6.example', ['2606:4700::1111']],
    ['alias.example', ['93.184.215.14']],
    ['half.example', ['93.184.215.14']],
    ['nothing.example', []],
    ['empty.example', []],
  ])('%s are %j', async (name, addresses) => {
    expect(await resolve(name)).toEqual(addresses);
    expect(asked.sort()).toEqual([`${name} A`, `${name} AAAA`]);
  });

  test('are asked of DNS, not of the hosts file or a search domain', async () => {
    expect(await resolve('localhost')).toEqual([]);
    expect([...new Set(asked)].sort()).toEqual(['localhost A', 'localhost AAAA']);
  });

  test('are an error if DNS fails', async () => {
    await expect(resolve('failing.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  test('are an error if the caller aborts', async () => {
    const abort = new AbortController();
    const pending = resolve('silent.example', abort.signal);
    abort.abort();
    await expect(pending).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});

test.each([
  ['private.example', 'address_not_public'],
  ['inside.example', 'address_not_public'],
  ['nothing.example', 'unreachable'],
  ['failing.example', 'unreachable'],
  ['silent.example', 'unreachable'],
])('a page of %s is %s', async (name, reason) => {
  const connectMs = name === 'silent.example' ? 100 : 60_000;
  const client = createOutboundClient({ userAgent: 'test', resolve, connectMs });
  await expect(client.fetchPage(`http://${name}/`)).rejects.toMatchObject({ reason });
});
