import { type Html, html } from './html.ts';

/** A notice above a page; `bad` for an error. */
export function note(text: string | undefined, kind: 'good' | 'bad' = 'good'): Html | undefined {
  if (text === undefined) return undefined;
  return kind === 'good'
    ? html`<div class="note" role="status"><p>${text}</p></div>`
    : html`<div class="note bad" role="alert"><p>${text}</p></div>`;
}

/** Links to the previous and next page; nothing if there is only one. */
export function pager(page: number, pages: number, to: (page: number) => string): Html | undefined {
  if (pages <= 1) return undefined;
  return html`<nav aria-label="Pages"><p class="actions">
${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">Previous page</a>` : undefined}
<span>Page ${page} of ${pages}</span>
${page < pages ? html`<a href="${to(page + 1)}" rel="next">Next page</a>` : undefined}
</p></nav>`;
}

/** A column: its heading, and whether its cells are numbers. */
export interface Column {
  readonly heading: string;
  readonly isNumber?: boolean;
}

/**
 * A table; the first cell of a row is its heading. On a narrow screen each row is a block with the
 * headings beside the cells; the roles keep it a table for screen readers.
 */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  const shade = (i: number): Html | undefined =>
    columns[i]?.isNumber ? html` class="number"` : undefined;
  const head = columns.map(
    ({ heading }, i) => html`<th role="columnheader" scope="col"${shade(i)}>${heading}</th>`,
  );
  const body = rows.map(([first, ...rest]) => {
    const others = rest.map((cell, i) => {
      const heading = columns[i + 1]?.heading;
      return html`<td role="cell" data-heading="${heading}"${shade(i + 1)}>${cell}</td>`;
    });
    return html`<tr role="row"><th role="rowheader" scope="row">${first}</th>${others}</tr>`;
  });
  return html`<table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">
${body}
</tbody>
</table>`;
}

/** The link to older entries of a list, if there are any. */
export function older(to: string | undefined, text: string): Html | undefined {
  return to === undefined ? undefined : html`<p><a href="${to}" rel="next">${text}</a></p>`;
}
