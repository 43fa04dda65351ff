import { eventually } from '@vcds/test-kit';
import type { Page } from 'playwright-core';

/** Steps of a reader of the explorer. */
export function explorer(page: Page) {
  const run = page.getByRole('button', { name: /^(?:Show|Update) / });
  const number = (text: string | null) =>
    Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''));
  const status = page.locator('.run [role=status]');
  return {
    run,
    status,
    /** Enters a key, by keyboard. */
    useKey: async (apiKey: string): Promise<void> => {
      await page.getByLabel('Your API key').fill(apiKey);
      await page.keyboard.press('Enter');
    },
    /** The credits that the button names. */
    price: async (): Promise<number> => number(await run.textContent()),
    /** The credits that the page says were charged. */
    charged: async (): Promise<number> => {
      await eventually(async () => (await status.textContent())?.includes('charged') === true);
      return number(await status.textContent());
    },
    /** The labels and values of the marks, and the first two cells of the rows of the table. */
    drawn: async () => {
      await page.locator('.explore .chart svg').waitFor();
      const marks = page.locator('.chart .mark[data-label]');
      const rows = page.locator('table.figures tbody tr');
      return {
        marks: await marks.evaluateAll((all) => all.map((each) => each.getAttribute('data-label'))),
        rows: await rows.evaluateAll((all) =>
          all.map((each) => each.querySelector('th')?.textContent?.replace(' so far', '').trim()),
        ),
      };
    },
  };
}
