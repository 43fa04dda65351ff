import { expect, test } from '@jest/globals';
import type { AggregateKey, AggregateMeasure, AggregateOptions } from '@vcds/client';
import { clientOn } from './fake-fetch.ts';

/** Whether a type has a text; a wrong value in the table below is an error of the type checker. */
type Has<Allowed, Text> = Text extends Allowed ? true : false;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Order = NonNullable<AggregateOptions<'rounds', 'count', 'country'>['orderby']>[number];

test('the types know which measure, key and order fit the entity', () => {
  const verdicts: [
    Has<AggregateMeasure<'rounds'>, 'median(Amount)'>,
    Has<AggregateMeasure<'rounds'>, 'countdistinct(LeadInvestor)'>,
    Has<AggregateMeasure<'startups'>, 'median(Name)'>,
    Has<AggregateMeasure<'startups'>, 'sum(Founded)'>,
    Has<AggregateMeasure<'startups'>, 'sum(Amount)'>,
    Has<AggregateMeasure<'funds'>, 'countdistinct(LeadInvestor)'>,
    Has<AggregateKey<'rounds'>, 'quarter(Date)'>,
    Has<AggregateKey<'rounds'>, 'week(Date)'>,
    Has<Order, 'count desc'>,
    Has<Order, 'sum(Amount) desc'>,
  ] = [true, true, false, false, false, false, true, false, true, false];
  expect(verdicts).toHaveLength(10);
});

test('a row has the keys and measures that were asked for, whatever the order is', async () => {
  const { client, sent } = clientOn([{ body: { rows: [{ country: 'France', count: 2 }] } }]);
  const { data } = await client.aggregate('rounds', {
    by: ['country'],
    orderby: ['country asc'],
    narrow: { investor: ['Acme'] },
  });
  const isExact: Same<keyof (typeof data.rows)[number], 'country' | 'count' | 'known'> = true;
  expect(isExact).toBe(true);
  expect(data.rows[0]).toEqual({ country: 'France', count: 2 });
  expect(sent[0]?.url).toContain('/aggregates?investor=Acme&by=country&orderby=country+asc');
});

test('an investor as a key is an object with a name', async () => {
  const { client } = clientOn([{ body: { rows: [{ lead_investor: { Id: '1', Name: 'Acme' } }] } }]);
  const { data } = await client.aggregate('rounds', { by: ['lead_investor'] });
  expect(data.rows[0]?.lead_investor?.Name).toBe('Acme');
});
