/**
 * Measures the recall of the search for names and sites that a program has changed, compared with
 * plain trigram similarity; its scores for absent names; and its latency.
 *
 * Run with `npm run bench -- search`; needs the real data (`VCDS_DATA_DIR`). Options:
 * `--per-change=N` queries of each kind (1000), `--names=N` generated startups for the times
 * (0: none), `--half=tune|report`, `--only=funds,companies,trigrams,sites,confidence,times`.
 * `TEST_DATABASE_URL` names a PostgreSQL server to use instead of the embedded one.
 *
 * With `--data=DIR`, after `npm run bench -- corpus --data=DIR`, it measures searches over HTTP there
 * instead: `--queries=N` different ones of each kind (400), `--kind=TEXT` of their titles,
 * `--buffers=1GB` of PostgreSQL, `--direct` in this process, without HTTP and metering.
 */
import { benchOptions, say } from '@vcds/test-kit/bench';
import { measureRealNames } from './search/real-names.ts';
import { measureSearchTimes } from './search/search-times.ts';

const { data, queries, kind, buffers, direct, ...options } = benchOptions({
  'per-change': 1_000,
  names: 0,
  half: 'report',
  only: 'funds,companies,trigrams,sites,confidence,times',
  data: '',
  queries: 400,
  kind: '',
  buffers: '1GB',
  direct: false,
});
if (data === '') {
  await measureRealNames({
    perChange: options['per-change'],
    generated: options.names,
    half: options.half === 'tune' ? 'tune' : 'report',
    parts: new Set(options.only.split(',')),
  });
} else {
  say(await measureSearchTimes({ data, queries, kind, buffers, direct }));
}
