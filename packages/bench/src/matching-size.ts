/** Training and ranking at size, on generated data: `npm run bench -- matching-size INVESTMENTS`. */

import { Random } from '@vcds/demo-data/random';
import { type InvestmentData, investmentsOf, openRanker, train } from '@vcds/matching';

const investments = Number(process.argv[2] ?? 1_000_000);
const INVESTORS = 10_000;
const startups = Math.ceil(investments / 4);
const QUERIES = 60;

const start = performance.now();
const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1);
const peakMb = () => Math.round(process.resourceUsage().maxRSS / 1024);
const data = generate();
console.log(`generated ${investments} investments in ${secondsSince(start)} s, ${peakMb()} MB`);

const training = performance.now();
const trainingCpu = process.cpuUsage();
const model = train(data, {
  onStep: (step) => console.log(`${secondsSince(training)} s: ${step}`),
});
const trained = process.cpuUsage(trainingCpu);
const cpuSeconds = ((trained.user + trained.system) / 1e6).toFixed(0);
console.log(`processor ${cpuSeconds} s for training`);
console.log(`trained in ${secondsSince(training)} s, peak ${peakMb()} MB, ${model.rows} rows`);
console.log(`model: ${JSON.stringify(model).length} bytes of JSON`);

const opening = performance.now();
const ranker = openRanker(model, data);
console.log(`opened in ${secondsSince(opening)} s, peak ${peakMb()} MB`);
const random = new Random(2);
measure('investors of a startup', () => {
  ranker.rankInvestors({ startup: random.below(startups) }, { top: 25 });
});
measure('investors by criteria', () => {
  const { tags, country } = data.startups[random.below(startups)] ?? { tags: [], country: '' };
  ranker.rankInvestors({ tags, country, stage: 3 }, { top: 25 });
});
measure('startups of an investor', () => {
  ranker.rankStartups(random.below(INVESTORS), { top: 25 });
});

function measure(name: string, run: () => void): void {
  const cpu = process.cpuUsage();
  const times = Array.from({ length: QUERIES }, () => {
    const from = performance.now();
    run();
    return performance.now() - from;
  }).sort((a, b) => a - b);
  const { user, system } = process.cpuUsage(cpu);
  const at = (share: number) => (times[Math.floor(share * QUERIES)] ?? 0).toFixed(0);
  const mean = ((user + system) / 1000 / QUERIES).toFixed(0);
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, processor ${mean} ms`);
}

/** Investors with one to three tags and a country each; popularity by a power law. */
function generate(): InvestmentData {
  const random = new Random(1);
  const skewed = (limit: number) => Math.floor(limit * random.unit() ** 3);
  const place = () => {
    const country = skewed(80);
    const region = skewed(20);
    return { country: `c${country}`, region: `r${region}`, city: `t${skewed(15)}` };
  };
  const tagsOf = () => Array.from({ length: 1 + random.below(3) }, () => `tag${skewed(300)}`);
  const companies = Array.from({ length: startups }, (_, s) => ({
    ...{ id: `s${s}`, tags: tagsOf(), ...place(), founded: 1995 + random.below(28) },
  }));
  const funds = Array.from({ length: INVESTORS }, (_, i) => ({
    ...{ id: `i${i}`, name: `i${i}`, type: 'VentureFund', ...place(), stages: [], tags: tagsOf() },
    founded: 1990,
  }));
  const rows = Array.from({ length: investments }, (_, k) => {
    const startup = random.below(startups);
    const round = startup * 8 + random.below(8);
    return {
      ...{ investor: skewed(INVESTORS), startup, round, day: 9000 + (round % 97) * 100 },
      ...{ stage: 1 + (round % 8), amountUsd: 1e5 * (1 + (k % 300)) },
    };
  });
  return { investors: funds, startups: companies, investments: investmentsOf(rows) };
}
