import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { closedAfterAll } from '@vcds/test-kit';
import { PrismaClient } from '../../../../packages/importer/src/generated/client.ts';
import {
  fund,
  openImportFixture,
  round,
  startup,
} from '../../../../packages/importer/test/support.ts';

/** Models with rows that a migration inserts. */
const FILLED_MODELS = new Set(['SignalType', 'SignalPublisher', 'TextRange']);

const fixture = await closedAfterAll(openImportFixture());
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: fixture.url }) });
await closedAfterAll({ close: () => prisma.$disconnect() });

test('every table of the migrations has a model, and every model can be queried', async () => {
  const schema = await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const models = [...schema.matchAll(/^model (\w+) \{[\s\S]*?@@map\("(\w+)"\)/gmu)].map(
    ([, model = '', table = '']) => ({ model, table }),
  );
  const tables = await fixture.rows<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'venture' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  );
  expect(models.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name));
  for (const { model } of models) {
    const delegate: unknown = Reflect.get(prisma, model.charAt(0).toLowerCase() + model.slice(1));
    const { findFirst } = delegate as { findFirst: () => Promise<unknown> };
    const found = FILLED_MODELS.has(model) ? expect.anything() : null;
    expect([model, await findFirst()]).toEqual([model, found]);
  }
});

test('every model has exactly the columns of its table', async () => {
  const schema = await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)@@map\("(\w+)"\)/gmu)];
  const names = new Set(models.map(([, name]) => name));
  const modelled = models.flatMap(([, , body = '', table]) =>
    [...body.matchAll(/^ +([a-z]\w*) +(\w+)(.*)$/gmu)]
      .filter(([, , type]) => !names.has(type))
      .map(([, field, , rest = '']) => `${table}.${/@map\("(\w+)"\)/u.exec(rest)?.[1] ?? field}`),
  );
  const columns = await fixture.rows<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'venture' AND table_name <> '_prisma_migrations'
       AND t.table_type = 'BASE TABLE'`,
  );
  expect(modelled.sort()).toEqual(columns.map(({ name }) => name).sort());
});

test('models have the types of the columns', async () => {
  const columns = await fixture.rows<{ columns: number }>(
    `SELECT count(*)::int AS columns FROM information_schema.columns
     WHERE table_schema = 'venture' AND table_name = 'startup'`,
  );
  await fixture.importLines([
    startup('s', { Tags: ['A'], Founded: 2001, TotalRaised: 5, City: 'Rome' }),
    fund('f', { InvestmentStages: ['Seed'] }),
    round('r', 's', {
      Date: '2020-01-01',
      Amount: 10.5,
      Currency: 'EUR',
      Investors: [{ type: 'fund', key: 'f', Lead: true }],
    }),
  ]);
  const found = await prisma.startup.findFirst({
    include: { fundingRounds: { include: { investors: { include: { fund: true } } } } },
  });
  expect(found).toMatchObject({
    name: 'Company s',
    tags: ['A'],
    cities: ['Rome'],
    totalRaisedReported: 5n,
    fundingRounds: [
      { year: 2020, amount: 12n, investors: [{ lead: true, fund: { investmentStages: [3] } }] },
    ],
  });
  // All but the search document and the transaction id, which Prisma cannot read.
  const { fundingRounds: _rounds, ...own } = found ?? {};
  expect(Object.keys(own)).toHaveLength((columns[0]?.columns ?? 0) - 2);
});
