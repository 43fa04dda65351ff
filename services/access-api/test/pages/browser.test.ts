// Tests docs/spec/registration.md 3.6.
// Tests docs/spec/oauth.md 28.4, 28.7.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { periodOf } from '@vcds/metering';
import {
  atLength,
  describeWithBrowser,
  eventually,
  type Product,
  startProduct,
} from '@vcds/test-kit';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { monthText } from '../../src/pages/format.ts';
import { newAddress } from '../registration/fixture.ts';
import { authorizationUrl, charge, faults, focused, isWide } from './browser-kit.ts';
import { linkTo } from './key.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SMALL_PHONE = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
const BOTH = ['light', 'dark'] as const;
const LIGHT = BOTH.slice(0, atLength(1, 2));
/** The pages of which `npm test` checks the contrast in the dark: those with the most colors. */
const COLORFUL = ['key', 'account', 'usage'];
/** The rules whose result depends on the scheme. */
const CONTRAST = ['color-contrast'];
/** Colors are the same on every device; a soak checks each page in both schemes on all. */
const LOOKS = (
  [
    ['in light and in dark, on a small phone', SMALL_PHONE, BOTH],
    ['in light, on a desktop', DESKTOP, LIGHT],
    ['in light, on a phone', PHONE, LIGHT],
  ] as const
).slice(0, atLength(1, 3));
const SHOTS = process.env.VCDS_SCREENSHOTS;
/** A dozen pages, each looked through by axe, on a machine that may be busy. */
const MANY_PAGES_MS_MAX = 180_000;

describeWithBrowser('the account area in a browser', (executablePath) => {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    // In a container the kernel may offer no sandbox; nothing but our own pages is opened.
    const launched = chromium.launch({ executablePath, args: ['--no-sandbox'] });
    [product, browser] = await Promise.all([startProduct(), launched]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  /** A window in which nothing may go wrong: no script error, no blocked load, nothing foreign. */
  const visit = async (
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
    meant?: RegExp,
  ): Promise<void> => {
    const context = await browser.newContext(options);
    const wrong: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(product.accessUrl)) wrong.push(request.url());
    });
    try {
      await use(page);
      expect(wrong.filter((text) => meant?.test(text) !== true)).toEqual([]);
    } finally {
      await context.close();
    }
  };
  const titleOf = (page: Page) => page.textContent('h1');
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const follow = (page: Page, name: string) =>
    page.getByRole('link', { name, exact: true }).click();
  const keyShown = async (page: Page) => (await page.getByLabel('API key').textContent()) ?? '';
  const statusWith = async (key: string): Promise<number> => {
    const headers = { 'X-Api-Key': key };
    return (await fetch(`${product.accessUrl}/api/v1/usage`, { headers })).status;
  };
  const askForLink = async (page: Page, email: string): Promise<string> => {
    await page.goto(`${product.accessUrl}/account`);
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Send sign-in link');
    expect(await titleOf(page)).toBe('Check your inbox');
    return linkTo(product, email);
  };

  describe.each([
    ['with scripts, on a desktop', { ...DESKTOP }],
    ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ])('%s', (_name, options) => {
    test('an address, a link, a key, a narrow key, its end, and out', async () => {
      await visit(options, async (page) => {
        const email = newAddress();
        await page.goto(await askForLink(page, email));
        await press(page, 'Sign in and create an API key');
        expect(await titleOf(page)).toBe('Your API key');
        expect(await statusWith(await keyShown(page))).toBe(200);
        await follow(page, 'Continue to my account');
        await page.getByText(`Signed in as ${email}.`).waitFor();

        await follow(page, 'Create a key');
        await page.getByLabel('Name (optional)').fill('weekly report');
        for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
        await page.getByLabel('News').check();
        await page.getByLabel('Funding rounds').check();
        await press(page, 'Create key');
        const key = await keyShown(page);
        await follow(page, 'Continue to my account');
        const card = page.getByRole('listitem').filter({ hasText: 'weekly report' });
        await card.getByText('Funding rounds, News').waitFor();

        await follow(page, 'Edit permissions weekly report');
        expect(await page.getByRole('checkbox').count()).toBe(2);
        await page.getByLabel('Funding rounds').uncheck();
        await press(page, 'Save permissions');
        await page.getByText('Permissions updated.').waitFor();
        expect(await card.getByText('Funding rounds').count()).toBe(0);
        expect(await statusWith(key)).toBe(200);

        await follow(page, 'Revoke weekly report');
        await press(page, 'Revoke key');
        await page.getByText('Calls with it are rejected from now on.').waitFor();
        await card.getByText('Revoked', { exact: true }).first().waitFor();
        expect(await statusWith(key)).toBe(401);

        await press(page, 'Sign out');
        expect(await titleOf(page)).toBe('Sign in');
        await page.goBack();
        expect(await page.content()).not.toContain(email);
      });
    });
  });

  test('a link that is loaded again, or a page gone back to, shows no key', async () => {
    await visit(
      DESKTOP,
      async (page) => {
        const link = await askForLink(page, newAddress());
        await page.goto(link);
        await press(page, 'Sign in and create an API key');
        const key = await keyShown(page);
        await follow(page, 'Account');
        expect(await page.content()).not.toContain(key);
        await page.goto(link);
        expect(await titleOf(page)).toBe('This link no longer works');
        await page.getByText('Get a new link').waitFor();
        // Browsers write every answer above 399 to the console; this one is meant.
      },
      /status of 410/,
    );
  });

  test('a person signs in on the way, connects an assistant, and gets back to it', async () => {
    const program = createServer((_, response) => response.end('<h1>Back</h1>'));
    await once(program.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = program.address() as AddressInfo;
      const callback = `http://127.0.0.1:${port}/callback`;
      await visit(
        { ...PHONE, javaScriptEnabled: false },
        async (page) => {
          await page.goto(await authorizationUrl(product, callback));
          await page.getByText('Sign in to connect Browser test.').waitFor();
          const email = newAddress();
          await page.getByLabel('Email address').fill(email);
          await press(page, 'Send sign-in link');
          await page.goto(await linkTo(product, email));
          await press(page, 'Sign in and continue');
          expect(await titleOf(page)).toBe('Connect an assistant?');
          await page.getByLabel('News').uncheck();
          await page.getByLabel('Monthly credit limit').fill('20');
          await press(page, 'Connect');
          expect(await titleOf(page)).toBe('Back');
          const { origin, searchParams } = new URL(page.url());
          expect([origin, searchParams.get('state')]).toEqual([new URL(callback).origin, 's']);
          await page.goto(`${product.accessUrl}/account`);
          const card = page.getByRole('listitem').filter({ hasText: 'Browser test' });
          await card.getByText('Connected assistant').waitFor();
          expect(await card.getByText('20 credits a month').count()).toBe(1);
        },
        new RegExp(`^${new URL(callback).origin}/`),
      );
    } finally {
      program.close();
    }
  });

  test('another site can open the mailed link, but not send the forms', async () => {
    await visit(
      DESKTOP,
      async (page) => {
        const link = await askForLink(page, newAddress());
        const site = `<a href="${link}">Link</a><form method="post" action="${link}"><button>Go`;
        await page.goto(`data:text/html,${encodeURIComponent(site)}`);
        await press(page, 'Go');
        expect(await titleOf(page)).toBe('Form rejected');
        await page.goBack();
        await follow(page, 'Link');
        await press(page, 'Sign in and create an API key');
        expect(await titleOf(page)).toBe('Your API key');
      },
      /^data:|status of 403/,
    );
  });

  test('the keyboard is enough, and a focused key is selected whole', async () => {
    await visit(DESKTOP, async (page) => {
      const email = newAddress();
      await page.goto(`${product.accessUrl}/account`);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toContain('Skip to content');
      await page.keyboard.press('Tab');
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await page.goto(await linkTo(product, email));
      for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your API key' }).waitFor();
      const key = await keyShown(page);
      await eventually(async () => {
        await page.keyboard.press('Tab');
        return (await page.evaluate('document.activeElement.className')) === 'key';
      });
      expect(await page.evaluate('String(getSelection())')).toBe(key);
    });
  });

  test('a click selects the whole key without scripts, and the command has the key in it', async () => {
    await visit({ ...PHONE, javaScriptEnabled: false }, async (page) => {
      await page.goto(await askForLink(page, newAddress()));
      await press(page, 'Sign in and create an API key');
      const key = await keyShown(page);
      expect(await page.getByRole('button', { name: 'Copy key' }).count()).toBe(0);
      await page.getByLabel('API key').click();
      expect(await page.evaluate('String(getSelection())')).toBe(key);
      expect(await page.textContent('pre')).toBe(
        `curl -H "X-Api-Key: ${key}" '${product.dataUrl}/v2/categories'`,
      );
    });
  });

  test('a button copies the key, and another one the command', async () => {
    await visit({ ...DESKTOP, permissions: ['clipboard-read'] }, async (page) => {
      await page.goto(await askForLink(page, newAddress()));
      await press(page, 'Sign in and create an API key');
      const copied = () => page.evaluate('navigator.clipboard.readText()');
      await press(page, 'Copy key');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await copied()).toBe(await keyShown(page));
      await press(page, 'Copy command');
      await page.getByRole('button', { name: 'Copied' }).nth(1).waitFor();
      expect(await copied()).toBe(await page.textContent('pre'));
    });
  });

  describe.each(LOOKS)('%s', (_name, device, schemes) => {
    test(
      'every page is accessible, contrast included, and fits the screen',
      async () => {
        await visit(device, async (page) => {
          const look = async (name: string): Promise<void> => {
            await page.evaluate(axe.source);
            const isChecked = atLength(0, 1) === 1 || COLORFUL.includes(name);
            for (const [index, colorScheme] of schemes.entries()) {
              if (index > 0 && !isChecked) continue;
              await page.emulateMedia({ colorScheme });
              if (SHOTS) {
                const path = `${SHOTS}/${name}-${colorScheme}-${device.viewport.width}.png`;
                await page.screenshot({ path, fullPage: true });
              }
              const rules = index < atLength(1, 2) ? undefined : CONTRAST;
              expect([name, colorScheme, await faults(page, rules)]).toEqual([
                ...[name, colorScheme, []],
              ]);
            }
            await page.setViewportSize(DESKTOP.viewport);
            expect([name, await isWide(page)]).toEqual([name, false]);
            await page.setViewportSize(device.viewport);
          };
          const email = `a.rather.long.name.${newAddress()}`;
          const link = await askForLink(page, email);
          await look('sent');
          await page.goto(link);
          await look('confirm');
          await press(page, 'Sign in and create an API key');
          await look('key');
          await follow(page, 'Account');
          await look('account');
          await follow(page, `Edit permissions ${await page.textContent('h3')}`);
          await look('narrow');
          await page.goBack();
          await follow(page, `Revoke ${await page.textContent('h3')}`);
          await look('revoke');
          await press(page, 'Revoke key');
          await look('revoked');
          await follow(page, 'Create a key');
          await look('create');
          await charge(product, email);
          await follow(page, 'Usage');
          await look('usage');
          await follow(page, monthText(periodOf(Date.now())));
          await look('month');
          await page.goto(`${product.accessUrl}/account/usage/charges`);
          await look('charges');
          await follow(page, 'Credits');
          await look('credits');
          await page.goto(await authorizationUrl(product, 'http://127.0.0.1:7777/callback'));
          await look('connect');
          await press(page, 'Sign out');
          await look('sign-in');
        });
      },
      MANY_PAGES_MS_MAX,
    );
  });
});
