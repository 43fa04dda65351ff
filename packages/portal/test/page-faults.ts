import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations that axe finds in the page or a part, what it could not decide, and whether the page is wider
 * than the screen. Text that is scrolled out of its box, single characters, and text of a chart, whose ground axe
 * cannot see, are no findings; the colors of such text are those of the page.
 */
export async function faults(
  page: Page,
  within = 'document',
  runOnly: readonly string[] | undefined = undefined,
): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations', 'incomplete'], runOnly });
  const run = `axe.run(${within}, ${options})`;
  const { violations, incomplete, passes } = (await page.evaluate(run)) as axe.AxeResults;
  const undecided = ['elmPartiallyObscured', 'shortTextContent'];
  const isClipped = ({ any, html }: axe.NodeResult) =>
    any.some(({ data }) => undecided.includes(data?.messageKey) || isDrawn(html, data));
  const isDrawn = (html: string, data: { contrastRatio?: number } | null) =>
    html.startsWith('<text ') && !((data?.contrastRatio ?? 0) > 0);
  const found = [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.filter((node) => !isClipped(node)).map(({ html }) => `${id}: ${html}`),
  );
  const hasContrast = passes.some(({ id }) => id === 'color-contrast');
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [
    ...found,
    ...(hasContrast ? [] : ['contrast was not checked']),
    ...(isWide ? ['the page is wider than the screen'] : []),
  ];
}
