import type { Peer } from '../peers/peers.ts';
import type { PeerAnswer } from '../peers/question.ts';
import type { Line } from './lines.ts';
import type { System } from './systems.ts';

/** Of each line. */
const COMPARED = 5;
/** The names of the peers for fields that the product names otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  CreatedTimeStamp: 'CreatedAt',
  UpdatedTimeStamp: 'UpdatedAt',
};
/** The product computes it from two other fields. */
const NOT_OF_PEERS = new Set(['FundingPerMember']);

/**
 * Asks the product and a peer for the same.
 *
 * @throws at the first answer with other records, in another order, or with other values.
 */
export async function compareAnswers(
  lines: readonly Line[],
  product: System,
  system: System,
  peer: Peer,
): Promise<void> {
  for (const line of lines) {
    const [ours, theirs] = [product.playedOf(line), system.playedOf(line)];
    if (ours === undefined || theirs === undefined) continue;
    for (let at = 0; at < COMPARED; at += 1) {
      const [apiKey = ''] = ours.apiKeys;
      const own = await fetchText(`${ours.origin}${ours.paths[at]}`, { 'x-api-key': apiKey });
      const other = await fetchText(`${theirs.origin}${theirs.paths[at]}`, {});
      const difference = differenceOf(comparable(readProduct(own)), comparable(peer.read(other)));
      if (difference === undefined) continue;
      throw new Error(`${peer.title} answers otherwise: ${theirs.paths[at]}: ${difference}`);
    }
  }
}

async function fetchText(url: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(url, { headers });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${text}`);
  return text;
}

function readProduct(body: string): PeerAnswer {
  const answer = JSON.parse(body);
  if (Array.isArray(answer)) return answer;
  return answer.count ?? [answer];
}

/** Values as texts: numbers, instants and dates in one form, absent ones as null. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(comparable);
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([name]) => !NOT_OF_PEERS.has(name) && !name.startsWith('@'))
      .map(([name, own]) => [NAMES[name] ?? name, comparable(own)] as const);
    return Object.fromEntries(fields.filter(([, own]) => own !== null));
  }
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return Date.parse(value);
  return value === null || value === undefined ? null : String(value);
}

/** The first difference, with its path in the answer. */
function differenceOf(expected: unknown, received: unknown, path = ''): string | undefined {
  if (!isObject(expected) || !isObject(received)) {
    return expected === received ? undefined : `${path}: ${received} instead of ${expected}`;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(received)])) {
    const difference = differenceOf(expected[name], received[name], `${path}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
