// Tests docs/spec/addresses.md 1.8.
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillDatabase } from '@vcds/demo-data';
import {
  atLength,
  describeWithBrowser,
  eventually,
  type Product,
  startProduct,
} from '@vcds/test-kit';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { valuesIn } from '../src/examples.ts';
import { PORTAL_FOLDER } from '../src/index.ts';
import { allExamples, differences, hasPython, openExamples } from './examples.ts';
import { explorer } from './explore-steps.ts';
import { type Listed, matchList } from './match-steps.ts';
import { faults } from './page-faults.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const REFERENCE = 'reference/search';
const SAMPLE = ['', 'questions/median-series-a', 'explore', REFERENCE, 'reference/rounds'];
/** The rules whose result depends on the scheme. */
const CONTRAST = ['color-contrast'];
const SHOTS = process.env.VCDS_SCREENSHOTS;
/** Colors are the same on every device; a soak checks both schemes on each. */
const BOTH = ['light', 'dark'] as const;
const MANY_PAGES_MS_MAX = 180_000;
const START_MS_MAX = 300_000;

/** Enough startups that every example finds records. */
const DATASET = { startups: 1_000, today: '2026-11-22' };

const python = await hasPython();
let product: Product;
let apiKey = '';
beforeAll(async () => {
  product = await startProduct({ programs: ['access-api', 'worker', 'data-api', 'data-worker'] });
  await fillDatabase({ connectionString: product.database.url, dataset: DATASET });
  const [{ keys }] = await product.issue({ plan: 'scale', keys: [{}] });
  apiKey = keys[0]?.apiKey ?? '';
}, START_MS_MAX);
afterAll(() => product?.close());

describe('the examples of the documentation', () => {
  const examples = allExamples();
  const of = (language: string) => examples.filter((each) => each.language === language);
  const open = () => openExamples({ dataUrl: product.dataUrl, apiKey });

  test('every page with examples has them in three languages', () => {
    const counts = ['curl', 'TypeScript', 'Python'].map((language) => of(language).length);
    expect(Math.min(...counts)).toBeGreaterThan(12);
  });

  test.each(of('curl').map((example) => [example.page, example] as const))(
    'the curl example of %s answers as the page shows',
    async (_page, example) => {
      const answers = valuesIn(await open().curl(example));
      expect(JSON.stringify(answers)).not.toContain('"error"');
      const shown = example.answer === undefined ? answers : valuesIn(example.answer);
      expect(answers.flatMap((answer, at) => differences(answer, shown[at]))).toEqual([]);
    },
  );

  test('the TypeScript examples compile and run', () => open().typeScript(of('TypeScript')));

  if (python) test('the Python examples run', () => open().python(of('Python')));
  else test.skip('the Python examples: no python3 is on PATH', () => undefined);
});

describeWithBrowser('the documentation in a browser', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    // In a container the kernel may offer no sandbox; nothing but our own pages is opened.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** A window in which nothing may go wrong: no message, no blocked load, no other host. */
  const visit = async (
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> => {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    const wrong: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      const isOwn = [product.accessUrl, product.dataUrl].includes(origin);
      if (!isOwn && !request.url().startsWith('data:')) wrong.push(request.url());
    });
    try {
      await use(page);
      expect(wrong).toEqual([]);
    } finally {
      await context.close();
    }
  };
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${product.accessUrl}/docs/${path}`);
  };

  test('the start page leads on, with the configured addresses and what the data has', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page, '');
      await page.getByText(`${product.dataUrl}/v2/startups`).first().waitFor();
      await page.getByText('Newest round 2026-11').waitFor();
      const count = (await callData('/startups?$count=true')) as { readonly count: number };
      const shown = await page.locator('.coverage dd').first().textContent();
      expect(shown).toBe(count.count.toLocaleString('en-US'));
      await page.getByRole('link', { name: 'What is the median Series A' }).click();
      await page.getByRole('tab', { name: 'Python' }).or(page.getByText('Python')).first().click();
      await page.getByText('import os, requests').waitFor();
      await page.getByRole('link', { name: 'Quickstart' }).first().click();
      await page.getByRole('heading', { name: 'Quickstart', level: 1 }).waitFor();
      // The choice of a language holds for the whole site.
      await page.getByText('import os, requests').waitFor();
      expect(await page.content()).not.toContain('vcds.example');
    });
  });

  test('a search finds a page, by keyboard alone', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page, '');
      const field = page.locator('#localsearch-input');
      await eventually(async () => {
        await page.keyboard.press('/');
        return field.isVisible();
      });
      await field.pressSequentially('median');
      await page.getByRole('option').first().waitFor();
      expect(await faults(page, "'.VPLocalSearchBox'")).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/questions/median-series-a**');
    });
  });

  test('a search finds the words of other services, and no page for operators', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page, '');
      const field = page.locator('#localsearch-input');
      await eventually(async () => {
        await page.keyboard.press('/');
        return field.isVisible();
      });
      for (const word of ['excel', 'csv', 'webhook', 'pagination', 'license']) {
        await field.fill(word);
        await page.getByRole('option').filter({ hasText: 'What is it called here' }).waitFor();
      }
      await field.fill('kubernetes');
      await page
        .getByRole('option')
        .filter({ hasText: 'What is it called here' })
        .first()
        .waitFor({ state: 'detached' });
      const links = page.getByRole('option').and(page.locator('[href]'));
      const paths = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
      expect(paths.filter((path) => /deploying|operations|import/.test(path ?? ''))).toEqual([]);
    });
  });

  test('the start page shows a first key for a code in two clicks, and draws the data with it', async () => {
    await visit(PHONE, async (page) => {
      const email = 'first-key@example.com';
      await open(page, '');
      await page.getByLabel('Your email address').fill(email);
      await page.getByRole('button', { name: 'Send me a code' }).click();
      const code = page.getByLabel(`The code for ${email}`);
      const { text } = await product.mailTo(email);
      const right = /\b\d{6}\b/.exec(text)?.[0] ?? '';
      await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
      expect(await faults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show my key' }).click();
      const shown = await page.getByLabel('Your key').textContent();
      const key = shown?.replace('export VCDS_API_KEY=', '') ?? '';
      const answer = await fetch(`${product.dataUrl}/v2/pricing`, {
        headers: { 'X-Api-Key': key },
      });
      expect([key.slice(0, 8), answer.status]).toEqual(['pk_live_', 200]);
      await page.getByRole('button', { name: 'Draw it from the data, 1 credit' }).click();
      await page.getByText('From the data,').waitFor();
      expect(await faults(page)).toEqual([]);
    });
  });

  test('the reference calls with the key of the reader and shows the credits', async () => {
    await visit(PHONE, async (page) => {
      await open(page, REFERENCE);
      await page.getByLabel('Your API key').fill(apiKey);
      const search = page.getByRole('form', { name: 'GET /v2/companies/search' });
      await search.getByText(`${apiKey.slice(0, 8)}…`).waitFor();
      const [{ Name }] = (await callData('/startups?$top=1&$select=Name')) as [{ Name: string }];
      await search.getByLabel('Parameters').fill(`q=${Name}&top=2`);
      await search.getByText(`--data-urlencode 'top=2'`).waitFor();
      await search.getByRole('button', { name: 'Send' }).click();
      const cost = search.getByRole('status');
      await cost.getByText('200 /v2/companies/search: 1 credit charged').waitFor();
      await search.locator('.answer').getByText('"MatchedOn"').first().waitFor();
      await page.goto(`${product.accessUrl}/docs/errors#unknown_field`);
      await page.locator('a#unknown_field').waitFor();
    });
  });

  test('three clicks lead from the start page to German fintech by quarter, at the price that was shown', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page, '');
      const { run, useKey, price, charged, drawn } = explorer(page);
      await page.getByRole('link', { name: 'Explore the data' }).click();
      await page.getByRole('button', { name: 'German fintech by quarter' }).click();
      await run.click();
      await page.getByText('Nothing was charged').waitFor();
      await useKey(apiKey);
      const shownPrice = await price();
      const before = await creditsLeft();
      await run.click();
      const { marks, rows } = await drawn();
      expect([shownPrice, await charged(), before - (await creditsLeft())]).toEqual([3, 3, 3]);
      expect(marks.slice(0, rows.length)).toEqual(rows);
      expect(new URL(page.url()).search).toContain('country=Germany&industry=Fintech');
      expect(await faults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      expect(await faults(page, 'document', CONTRAST)).toEqual([]);
      // Another figure of the same groups is free, and a list costs at most what its button says.
      await page.getByText('Median round', { exact: true }).first().click();
      await page.getByText('Median round by quarter: Germany, Fintech').first().waitFor();
      const list = page.getByRole('button', { name: /^List them/ });
      expect(await list.textContent()).toContain('at most 7 credits');
      await list.click();
      await page.locator('.records table').waitFor();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: /^Download these/ }).click();
      const [titles] = (await text(await (await saving).createReadStream())).split('\r\n');
      expect(titles).toMatch(/^Id,/);
      expect(before - (await creditsLeft())).toBeLessThanOrEqual(shownPrice + 7);
    });
  });

  test('an address opens the same figures on a phone, by keyboard alone', async () => {
    await visit(PHONE, async (page) => {
      const query = 'entity=startups&by=country&figure=count&stage=Seed';
      await open(page, `explore?${query}#key=${apiKey}`);
      const { run, charged, drawn } = explorer(page);
      await page.getByText('Use another key').waitFor();
      expect(page.url()).not.toContain('#');
      await run.focus();
      await page.keyboard.press('Enter');
      await charged();
      const { marks, rows } = await drawn();
      expect(rows.slice(0, marks.length)).toEqual(marks);
      await page.getByRole('group', { name: /Arrow keys/ }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByText(`${marks[0]}: Number of startups`).waitFor();
      expect(await faults(page)).toEqual([]);
    });
  });

  test('a list of a CRM is matched at the price that was shown, and saved with the chosen record', async () => {
    const known = await callData('/startups?$filter=Domain ne null&$top=2&$select=Name,Website');
    const [first, second] = known as [Listed, Listed];
    await visit(PHONE, async (page) => {
      await open(page, '');
      const before = await creditsLeft();
      await matchList(page, { apiKey, first, second, shots: SHOTS });
      expect(before - (await creditsLeft())).toBeLessThanOrEqual(3);
    });
  });

  test('an unknown page offers a way on', async () => {
    const page = await browser.newPage();
    const answer = await page.goto(`${product.accessUrl}/docs/nothing`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.close();
  });

  const pages = [...SAMPLE, ...builtPages()].slice(0, atLength(SAMPLE.length, 1_000));
  test.each([
    ['a phone, in both schemes', PHONE, BOTH, pages],
    ['a desktop', DESKTOP, BOTH.slice(0, atLength(1, 2)), pages.slice(0, atLength(2, 1_000))],
  ])(
    'pages are accessible and fit the screen of %s',
    async (_name, device, schemes, paths) => {
      await visit(device, async (page) => {
        for (const path of paths) {
          await open(page, path);
          for (const [index, colorScheme] of schemes.entries()) {
            await page.emulateMedia({ colorScheme });
            const isDark = "document.documentElement.matches('.dark')";
            await eventually(
              async () => (await page.evaluate(isDark)) === (colorScheme === 'dark'),
            );
            if (SHOTS !== undefined) {
              const name = [
                path.replaceAll('/', '-') || 'index',
                colorScheme,
                device.viewport.width,
              ];
              await page.screenshot({
                path: `${SHOTS}/docs-${name.join('-')}.png`,
                fullPage: true,
              });
            }
            const rules = index < atLength(1, 2) ? undefined : CONTRAST;
            expect([path, colorScheme, await faults(page, 'document', rules)]).toEqual([
              path,
              colorScheme,
              [],
            ]);
          }
        }
      });
    },
    atLength(1, 5) * MANY_PAGES_MS_MAX,
  );
});

/** The body of a call with the key of the tests. */
async function callData(path: string): Promise<unknown> {
  const answer = await fetch(`${product.dataUrl}/v2${path}`, { headers: { 'X-Api-Key': apiKey } });
  return answer.json();
}

/** The credits of the account, which any call says. */
async function creditsLeft(): Promise<number> {
  const answer = await fetch(`${product.dataUrl}/v2/pricing`, { headers: { 'X-Api-Key': apiKey } });
  return Number(answer.headers.get('X-RateLimit-Remaining'));
}

/** The paths of all pages below `/docs/`. */
function builtPages(): string[] {
  return readdirSync(fileURLToPath(new URL('docs', PORTAL_FOLDER)), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .map((name) => name.replace(/(?:index)?\.html$/, ''));
}
