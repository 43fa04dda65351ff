import { isDeepStrictEqual } from 'node:util';
import type { Line } from './lines.ts';
import type { System } from './systems.ts';

/** Of each line. */
const COMPARED = 3;

interface Group {
  readonly number: number;
  readonly sum: number | null;
}

/**
 * Asks the product and other systems for the same groups.
 *
 * @throws at the first answer with other groups.
 */
export async function compareGroups(
  lines: readonly Line[],
  product: System,
  others: readonly System[],
): Promise<void> {
  for (const line of lines) {
    for (const system of others) {
      if (system.playedOf(line) === undefined) continue;
      for (let at = 0; at < COMPARED; at += 1) {
        const [own, other] = [await answerOf(product, line, at), await answerOf(system, line, at)];
        const isSame = Array.isArray(other)
          ? isDeepStrictEqual(sorted(groupsOf(own)), sorted(other))
          : isDeepStrictEqual(
              [own.rows, own.total, own.groups],
              [other.rows, other.total, other.groups],
            );
        if (!isSame) {
          const texts = [other, own].map((each) => JSON.stringify(each).slice(0, 500));
          throw new Error(
            `${system.name}, ${line.requests[at]?.path}: ${texts.join(' instead of ')}`,
          );
        }
      }
    }
  }
}

async function answerOf(system: System, line: Line, at: number) {
  const played = system.playedOf(line);
  const reply = await fetch(`${played?.origin}${played?.paths[at]}`, {
    headers: { 'x-api-key': played?.apiKeys[0] ?? '' },
  });
  const text = await reply.text();
  if (reply.status !== 200)
    throw new Error(`${system.name}, ${line.title}: ${reply.status} ${text}`);
  return system.read?.(text) ?? JSON.parse(text);
}

/** As peers answer: the number and the sum of each group, in any order. */
function groupsOf({ rows }: { readonly rows: readonly Readonly<Record<string, number | null>>[] }) {
  return rows.map(
    (row): Group => ({
      number: row.count ?? 0,
      sum: row['sum(TotalRaised)'] ?? null,
    }),
  );
}

const sorted = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((a, b) => a.number - b.number || (a.sum ?? 0) - (b.sum ?? 0));
