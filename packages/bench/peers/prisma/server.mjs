// Startups by Prisma and Express: no keys, no credits, no query language. It selects the columns that
// the product answers with, and no others.
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import express from 'express';

const { DATABASE_URL, CONNECTIONS } = process.env;
const adapter = new PrismaPg({
  connectionString: DATABASE_URL,
  max: Number(CONNECTIONS),
  idleTimeoutMillis: 0,
  options: '-c jit=off -c max_parallel_workers_per_gather=0',
});
const prisma = new PrismaClient({ adapter });
// An amount is below 2 ** 53.
BigInt.prototype.toJSON = function () {
  return Number(this);
};
const startup = {
  ...selected(
    'Id Name Website Domain Description Location Founded TotalRaised Tag Country Region City ' +
      'LastFundingStage NextFundingStage LastFundingDate PrimarySource MembersCount ' +
      'MembersCountBucket OperatingStatus Status RoundsCount LatestPostValuation ' +
      'AverageRoundAmount CreatedAt UpdatedAt',
  ),
  Computed: { select: { InvestorNames: true } },
};
const round = selected(
  'Id StartupId Date Year Series Stage Amount OriginalAmount OriginalCurrency Confirmed ' +
    'CreatedAt UpdatedAt',
);
const rounds = {
  select: round,
  where: { DeletedAt: null },
  orderBy: [{ Date: { sort: 'desc', nulls: 'last' } }, { Id: 'desc' }],
};

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/startups/:id', async ({ params: { id } }, response) => {
  const found = await prisma.startup.findFirst({
    where: { Id: id, DeletedAt: null },
    select: startup,
  });
  if (found === null) response.status(404).end();
  else response.json(found);
});
app.get('/startups', async ({ query }, response) => {
  const where = {
    DeletedAt: null,
    Founded: { gte: Number(query.since) },
    ...(query.city && { City: { has: query.city } }),
    ...(query.raised && {
      TotalRaised: { lte: BigInt(query.raised) },
      OR: [{ TotalRaised: { lt: BigInt(query.raised) } }, { Id: { lt: query.afterId } }],
    }),
  };
  if (query.count) {
    response.json({ count: await prisma.startup.count({ where }) });
    return;
  }
  response.json(
    await prisma.startup.findMany({
      where,
      select: query.rounds ? { ...startup, FundingRounds: rounds } : startup,
      orderBy: [{ TotalRaised: { sort: 'desc', nulls: 'last' } }, { Id: 'desc' }],
      take: Number(query.top),
    }),
  );
});
app.get('/groups', async ({ query: { groups, year, country } }, response) => {
  const rows = await prisma.startup.groupBy({
    by: [groups === 'stage' ? 'LastFundingStage' : 'Founded'],
    where: {
      DeletedAt: null,
      ...(groups === 'stage' ? { Founded: Number(year) } : { Country: { has: country } }),
    },
    _count: { _all: true },
    _sum: { TotalRaised: true },
  });
  response.json(rows.map(({ _count, _sum }) => ({ number: _count._all, sum: _sum.TotalRaised })));
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));

function selected(names) {
  return Object.fromEntries(names.split(' ').map((name) => [name, true]));
}
