import { once } from 'node:events';
import { BlockList, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { notPublic, OutboundError } from './outbound-error.ts';
import type { Resolve } from './resolve.ts';
import { portOf, type Target } from './target.ts';
import type { TestAddress } from './test-address.ts';
import { untilAborted } from './until-aborted.ts';

/** More answers than this are not a web site's; all are checked, so their number is bounded. */
const ADDRESSES_MAX = 64;
/** Before the next address of a host is tried in place of one that has not connected. */
const NEXT_ADDRESS_MS = 1_000;

/** The rules of which addresses a connection is made to. */
export interface Rules {
  readonly isAllowed: (address: string) => boolean;
  readonly resolve: Resolve;
  /** Connects every name here in place of its addresses; literal addresses are rejected. */
  readonly testAddress?: TestAddress | undefined;
  /** Certificate authorities in place of the system's. */
  readonly ca?: string | undefined;
}

export interface ConnectOptions {
  readonly rules: Rules;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Of name resolution, TCP and TLS together. */
  readonly connectMs: number;
  /** Most bytes that are read from the connection, whatever they are. */
  readonly wireBytesMax: number;
}

/**
 * The connect hook of one HTTP client, for one connection to one target. Resolves the host once,
 * checks every address, connects to these addresses only, and checks the peer of the connection.
 */
export function createConnector(options: ConnectOptions): buildConnector.connector {
  let isUsed = false;
  return (_, callback) => {
    // The HTTP client would connect again, for example after a connection that closed at once.
    const attempt = isUsed
      ? Promise.reject(new OutboundError('unreachable', 'The site closed the connection.'))
      : open(options);
    isUsed = true;
    attempt.then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function open(options: ConnectOptions): Promise<Socket> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(notConnected()), options.connectMs);
  try {
    const signal = AbortSignal.any([options.signal, limit.signal]);
    return await connectWithin(options, signal);
  } finally {
    clearTimeout(timer);
  }
}

async function connectWithin(options: ConnectOptions, signal: AbortSignal): Promise<Socket> {
  const { rules, target, wireBytesMax } = options;
  const { addresses, port } = await endpointOf(rules, target, signal);
  const tcp = { host: target.host, port, ...pinned(addresses) };
  const isTls = target.url.protocol === 'https:';
  const socket = isTls ? connectTls({ ...tcp, ...tlsOptions(rules, target) }) : connectTcp(tcp);
  const stop = (): void => {
    socket.destroy(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', stop));
  // Errors are reported by `once` here, and later by the HTTP client.
  socket.on('error', () => undefined);
  socket.on('readable', () => {
    if (socket.bytesRead > wireBytesMax) {
      socket.destroy(new OutboundError('too_large', 'The response is too large.'));
    }
  });
  await once(socket, isTls ? 'secureConnect' : 'connect');
  if (!isPeer(socket, addresses)) {
    socket.destroy();
    throw notPublic();
  }
  return socket;
}

/** The addresses that the target may be connected to: all of its host's, each of them checked. */
async function endpointOf(rules: Rules, { host, isLiteral, url }: Target, signal: AbortSignal) {
  const { testAddress } = rules;
  if (testAddress !== undefined) {
    if (isLiteral) throw notPublic();
    return { addresses: [testAddress.address], port: testAddress.port };
  }
  const addresses = isLiteral ? [host] : await untilAborted(rules.resolve(host, signal), signal);
  if (addresses.length === 0 || addresses.length > ADDRESSES_MAX) {
    throw new OutboundError('unreachable', 'The host has no address.');
  }
  if (!addresses.every(rules.isAllowed)) throw notPublic();
  return { addresses, port: portOf(url) };
}

/** Makes Node connect to exactly these addresses: the look-up returns them and asks no resolver. */
function pinned(addresses: readonly string[]) {
  const answers = addresses.map((address) => ({ address, family: familyOf(address) }));
  const lookup: LookupFunction = (_, __, callback) => callback(null, answers);
  return {
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
}

function tlsOptions(rules: Rules, { host, isLiteral }: Target) {
  return {
    // The certificate of a literal address is checked against the address.
    servername: isLiteral ? '' : host,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(rules.ca === undefined ? {} : { ca: rules.ca }),
  };
}

function isPeer({ remoteAddress }: Socket, addresses: readonly string[]): boolean {
  if (remoteAddress === undefined) return false;
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, `ipv${familyOf(address)}`);
  return list.check(remoteAddress, `ipv${familyOf(remoteAddress)}`);
}

function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}

function notConnected(): OutboundError {
  return new OutboundError('unreachable', 'The site does not accept connections in time.');
}
