import { type HTMLElement, parse } from 'node-html-parser';

/** A page as its users perceive it: texts, tables, controls and links instead of mark-up. */
export function viewOf({ text }: { readonly text: string }) {
  const root = parse(text);
  const all = (selector: string): readonly HTMLElement[] => root.querySelectorAll(selector);
  return {
    all,
    text: textOf(root.querySelector('main')),
    /** Whether it has the sign-out button. */
    isSignedIn: all('form[action="/account/sign-out"] button').length > 0,
    /** Whether it has the form for an address. */
    hasSignInForm: all('form input[type="email"]').length > 0,
    /** The cells of the table with this caption, row by row. */
    rows: (caption: RegExp): string[][] => {
      const table = all('table').find((one) => caption.test(textOf(one.querySelector('caption'))));
      const rows = table?.querySelectorAll('tbody tr') ?? [];
      return rows.map((row) => row.querySelectorAll('th, td').map(textOf));
    },
    /** The terms of the page and their values. */
    facts: all('dl > div').map(
      (fact) => [textOf(fact.querySelector('dt')), textOf(fact.querySelector('dd'))] as const,
    ),
    /** The target of the link to the next page of a list. */
    next: root.querySelector('a[rel="next"]')?.getAttribute('href'),
  };
}

export function textOf(element: HTMLElement | null): string {
  return element?.textContent.replace(/\s+/g, ' ').trim() ?? '';
}
