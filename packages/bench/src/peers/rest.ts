import type { PeerAnswer, Question } from './question.ts';

/** The path of the server of Prisma and Express. */
export function restPath({ id, after, ...asked }: Question): string {
  if (id !== undefined) return `/startups/${id}`;
  const parts = { ...asked, ...(after && { raised: after.raised, afterId: after.id }) };
  const texts = Object.entries(parts).map(([name, value]) => [name, String(value)] as const);
  const resource = asked.groups === undefined ? 'startups' : 'groups';
  return `/${resource}?${new URLSearchParams(Object.fromEntries(texts))}`;
}

export function readRest(body: string): PeerAnswer {
  const answer = JSON.parse(body);
  if (Array.isArray(answer)) return answer.map(withComputed);
  return answer.count ?? [withComputed(answer)];
}

interface RestRecord {
  readonly Computed: { readonly InvestorNames: unknown } | null;
}

const withComputed = ({ Computed, ...fields }: RestRecord) => ({ ...fields, ...Computed });
