import { type HTMLElement, parse } from 'node-html-parser';

/** A page as its users perceive it: texts, tables, controls and links instead of mark-up. */
export interface View {
  readonly text: string;
  /** Whether it has the sign-out button. */
  readonly isSignedIn: boolean;
  /** Whether it has the form for an address. */
  readonly hasSignInForm: boolean;
  /** The cells of the table with this caption, row by row. */
  rows(caption: RegExp): string[][];
  /** The terms of the page and their values. */
  readonly facts: readonly (readonly [string, string])[];
  /** The elements that match a CSS selector. */
  all(selector: string): readonly HTMLElement[];
  /** The target of the link to the next page of a list. */
  readonly next: string | undefined;
}

/** The view of a response. */
export function viewOf({ text }: { readonly text: string }): View {
  const root = parse(text);
  const all = (selector: string) => root.querySelectorAll(selector);
  return {
    text: textOf(root.querySelector('main')),
    isSignedIn: all('form[action="/account/sign-out"] button').length > 0,
    hasSignInForm: all('form input[type="email"]').length > 0,
    rows: (caption) => {
      const table = all('table').find((one) => caption.test(textOf(one.querySelector('caption'))));
      const rows = table?.querySelectorAll('tbody tr') ?? [];
      return rows.map((row) => row.querySelectorAll('th, td').map(textOf));
    },
    facts: all('dl > div').map((fact) => [
      textOf(fact.querySelector('dt')),
      textOf(fact.querySelector('dd')),
    ]),
    all,
    next: root.querySelector('a[rel="next"]')?.getAttribute('href'),
  };
}

export function textOf(element: HTMLElement | null): string {
  return element?.textContent.replace(/\s+/g, ' ').trim() ?? '';
}
