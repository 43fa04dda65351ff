import { DOCS_PATH } from '../keys/endpoints.ts';
import { type Html, html } from './html.ts';

/** The statements of an operator about itself; an absent one has no line. */
export interface Operator {
  /** URL of the page that says who runs the service. */
  readonly imprintUrl: string | undefined;
  /** An email address. */
  readonly contact: string | undefined;
}

/** The footer of the documentation and of the account pages. */
export function footerOf({ imprintUrl, contact }: Operator): Html {
  const links: readonly (readonly [href: string | undefined, text: string])[] = [
    [`${DOCS_PATH}/quickstart`, 'Documentation'],
    [`${DOCS_PATH}/reference/data-api`, 'Reference'],
    [`${DOCS_PATH}/explore`, 'Explore'],
    [imprintUrl, 'Imprint'],
    [contact && `mailto:${contact}`, 'Contact'],
  ];
  const items = links.flatMap(([href, text]) =>
    href === undefined ? [] : [html`<li><a href="${href}">${text}</a></li>`],
  );
  return html`<nav class="foot" aria-label="The service"><ul>
<li>Venture Capital Data Service</li>
${items}
</ul></nav>`;
}
