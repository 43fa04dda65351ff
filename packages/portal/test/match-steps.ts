import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { rowsOf } from '../site/.vitepress/theme/match/list-file.ts';
import { explorer } from './explore-steps.ts';
import { faults } from './page-faults.ts';

/** A company of the service. */
export interface Listed {
  readonly Name: string;
  readonly Website: string;
}

interface Reading {
  readonly apiKey: string;
  readonly first: Listed;
  readonly second: Listed;
  /** A folder for pictures of the page. */
  readonly shots: string | undefined;
}

/** From the start page a reader matches a list of three rows, chooses a candidate and saves the results. */
export async function matchList(
  page: Page,
  { apiKey, first, second, shots }: Reading,
): Promise<void> {
  const list = `Account Name;Web Site\n${first.Name};${first.Website}\n${second.Name};\nNulla Ipsum;\n`;
  await page.getByRole('link', { name: /^Match your CRM list/ }).click();
  const file = page.getByLabel('CSV or TSV file');
  await file.setInputFiles({ name: 'crm.xlsx', mimeType: '', buffer: Buffer.from('PK\x03\x04') });
  await page.getByRole('alert').filter({ hasText: 'Save the sheet as CSV' }).waitFor();
  await file.setInputFiles({ name: 'crm.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
  await page.getByRole('heading', { name: 'crm.csv: 3 rows' }).waitFor();
  const run = page.getByRole('button', { name: 'Match 3 rows at most 3 credits' });
  await run.click();
  await page.getByRole('alert').filter({ hasText: 'Nothing was charged' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await explorer(page).useKey(apiKey);
  await run.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: '3 of 3 rows done, ' }).waitFor();
  await page.getByLabel('Record of row 3').selectOption({ index: 1 });
  expect(await faults(page)).toEqual([]);
  expect(await page.evaluate('innerWidth')).toBe(page.viewportSize()?.width);
  if (shots !== undefined) {
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: `${shots}/match-390.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.screenshot({ path: `${shots}/match-1280.png`, fullPage: true });
  }
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download as CSV/ }).click();
  const saved = rowsOf(await text(await (await saving).createReadStream()), ';');
  expect(saved.map((cells) => [cells[0], cells[2], cells[6]])).toEqual([
    ['Account Name', 'Match: Verdict', 'Match: Name'],
    [first.Name, 'match', first.Name],
    [second.Name, 'chosen', second.Name],
    ['Nulla Ipsum', 'none', ''],
  ]);
}
