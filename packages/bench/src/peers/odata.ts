import type { PeerAnswer, Question } from './question.ts';

const ROUNDS = 'FundingRounds($orderby=Date desc,Id desc)';

/** The path of the OData service of SAP CAP. */
export function odataPath({ id, since, city, top, after, rounds, count }: Question): string {
  if (id !== undefined) return `/v4/Startups(${id})`;
  const filter = [
    `Founded ge ${since}`,
    ...(city === undefined ? [] : [`City eq '${city.replaceAll("'", "''")}'`]),
    ...(after === undefined
      ? []
      : [
          `TotalRaised le ${after.raised}`,
          `(TotalRaised lt ${after.raised} or Id lt ${after.id})`,
        ]),
  ].join(' and ');
  if (count) return `/v4/Startups/$count?$filter=${encodeURIComponent(filter)}`;
  const parts = {
    $filter: filter,
    $orderby: 'TotalRaised desc,Id desc',
    $top: String(top),
    ...(rounds && { $expand: ROUNDS }),
  };
  const query = Object.entries(parts).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `/v4/Startups?${query.join('&')}`;
}

export function readOdata(body: string): PeerAnswer {
  const answer = JSON.parse(body);
  return typeof answer === 'number' ? answer : (answer.value ?? [answer]);
}
