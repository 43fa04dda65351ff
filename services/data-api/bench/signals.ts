/**
 * The change feed, measured. Usage: `npm run bench -- signals [pages|lag|soak] [how many]`.
 * - `pages`: what a page costs at the beginning and at the end of a long feed (10 million signals);
 * - `lag`: how long a change takes to be visible while an import runs (200,000 startups);
 * - `soak`: completeness with 24 writers and publishers that are killed (1 million changes).
 */
import { openTestServers } from '@vcds/test-kit/bench';
import { measureLag } from './signals/lag.ts';
import { measurePages } from './signals/pages.ts';
import { soak } from './signals/soak.ts';

const benches = {
  pages: { run: measurePages, many: 10_000_000 },
  lag: { run: measureLag, many: 200_000 },
  soak: { run: soak, many: 1_000_000 },
} as const;

const [wanted, many] = process.argv.slice(2);
const servers = await openTestServers();
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted !== undefined && wanted !== name) continue;
    const url = await servers.createDatabase({ migrated: true });
    await bench.run(url, many === undefined ? bench.many : Number(many));
    await servers.dropDatabase(url);
  }
} finally {
  await servers.close();
}
