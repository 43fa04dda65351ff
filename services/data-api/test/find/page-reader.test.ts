import { describe, expect, test } from '@jest/globals';
import { readCompanyPage } from '@vcds/site-facts/page';
import { testClock } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import { KeptPages } from '../../src/find/kept-pages.ts';
import { registerPageMetrics } from '../../src/find/page-metrics.ts';
import { PageReader } from '../../src/find/page-reader.ts';
import { HOOKED_ARGUMENTS, PAGES, whenReading } from './support/page-hooks.ts';

const execArgv = HOOKED_ARGUMENTS;
/** A page without facts. */
const NO_FACTS = readCompanyPage({ html: '', url: 'http://a.example/', now: new Date() });

describe('kept pages', () => {
  const clock = testClock();
  const page = (text: string) => {
    const fetchedAt = new Date(clock.wallMs());
    const facts = { ...NO_FACTS, description: text };
    return { site: { website: 'a.example', finalUrl: 'http://a.example/', fetchedAt }, facts };
  };

  test('have a share of each account, which displaces none of another', () => {
    const kept = new KeptPages(clock);
    kept.keep('other', 'b', page('x'));
    for (let index = 0; index < 200; index++) kept.keep(`a${index}`, 'a', page('y'.repeat(50_000)));
    const count = Array.from({ length: 200 }, (_, index) => kept.get(`a${index}`)).filter(Boolean);
    expect([count.length > 30, count.length < 45]).toEqual([true, true]);
    expect(kept.get('other')?.age).toBe(1);
    kept.keep('long', 'b', page('z'.repeat(100_000)));
    expect(kept.get('long')).toBeUndefined();
    clock.advance(3_600_000);
    expect(kept.get('other')).toBeUndefined();
    // The space of an entry that has ended can be used again.
    for (let index = 0; index < 200; index++) kept.get(`a${index}`);
    kept.keep('again', 'a', page('y'));
    expect(kept.get('again')).toBeDefined();
  });
});

test('pages of an account wait for those of others in turn', async () => {
  const reader = new PageReader({ execArgv });
  const { signal } = new AbortController();
  const order: string[] = [];
  const read = async (account: string) => {
    await reader.read({ html: '<p>', url: 'http://a.example/', now: new Date() }, account, signal);
    order.push(account);
  };
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(read));
  await reader.close();
  expect(order.join('')).toBe('aabcaa');
});

test('pages that wait are bounded, and closing ends the thread in the middle of one', async () => {
  const reader = new PageReader({ execArgv, pageMsMax: 600_000 });
  const registry = new Registry();
  registerPageMetrics(registry, reader);
  const pending = () => registry.getSingleMetricAsString('vcds_find_pages_pending');
  const isReading = whenReading();
  const input = { html: PAGES.neverRead, url: 'http://a.example/', now: new Date() };
  const { signal } = new AbortController();
  const read = (account: number) =>
    reader.read(input, `account ${account}`, signal).catch(({ code }) => code);
  const reads = Array.from({ length: 32 }, (_, k) => read(Math.floor(k / 5)));
  expect(await Promise.all([read(0), read(99)])).toEqual(['too_many_requests', 'unavailable']);
  await isReading;
  expect(await pending()).toContain('vcds_find_pages_pending 32');
  await reader.close();
  expect(await Promise.all(reads)).toEqual(Array(32).fill('unavailable'));
  expect(await pending()).toContain('vcds_find_pages_pending 0');
});
