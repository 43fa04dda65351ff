import { bucketOfAccount } from '@vcds/credentials';
import { periodOf } from '@vcds/metering';
import type { Product } from '@vcds/test-kit';
import type axe from 'axe-core';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { createLedgerTable } from '../../src/credits/ledger-table.ts';
import { aCharge } from '../credits/spending.ts';

const ENDPOINTS = [
  ...['/startups', '/funds', '/categories/{dimension}/{value}/startups', '/signals', '/news'],
  ...['/persons', '/companies/search'],
];

/** Where a program that has just registered sends the browser of a person. */
export async function authorizationUrl(
  { accessUrl }: Product,
  redirect_uri: string,
): Promise<string> {
  const registered = await fetch(`${accessUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Browser test', redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await registered.json()) as { readonly client_id: string };
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, state: 's' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  });
  return `${accessUrl}/oauth/authorize?${query}`;
}

/** Charges on every day of this month, of more endpoints than the chart has colours. */
export async function charge({ environment }: Product, email: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: environment.ACCESS_DATABASE_URL, max: 1 });
  try {
    const found = await pool.query('SELECT id FROM access.account WHERE email = $1', [email]);
    const account = String(found.rows[0]?.id);
    const period = periodOf(Date.now());
    const entries = Array.from({ length: 28 * ENDPOINTS.length }, (_, n) =>
      aCharge({
        account,
        endpoint: ENDPOINTS[Math.floor(n / 28)] ?? '',
        chargedAt: new Date(Date.UTC(Math.trunc(period / 100), (period % 100) - 1, 1 + (n % 28))),
        period,
        charged: 1 + ((n * 7) % 23),
      }),
    );
    await createLedgerTable(pool).commit(bucketOfAccount(account), entries);
  } finally {
    await pool.end();
  }
}

export async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.outerHTML'));
}

/** The violations that axe finds in the page, and whether it is wider than the screen. */
export async function faults(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  // Of the rules that pass, only their names are needed.
  const options = JSON.stringify({ resultTypes: ['violations', 'incomplete'], runOnly });
  const run = `axe.run(${options})`;
  const { violations, incomplete, passes } = (await page.evaluate(run)) as axe.AxeResults;
  const found = [...violations, ...incomplete].map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
  const hasContrast = passes.some(({ id }) => id === 'color-contrast');
  return [
    ...found,
    ...(hasContrast ? [] : ['contrast was not checked']),
    ...((await isWide(page)) ? ['the page is wider than the screen'] : []),
  ];
}

export async function isWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}
