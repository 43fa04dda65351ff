const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML that is safe as it stands. */
export interface Html {
  readonly markup: string;
}

/** What a template takes: text is escaped, HTML goes in as it is, undefined is nothing. */
export type Inserted = string | number | Html | readonly Html[] | undefined;

/** HTML whose values are escaped, for text and for attributes in quotes; Html goes in as it is. */
export function html(texts: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  const parts = texts.map((text, i) => `${text}${inserted(values[i])}`);
  return { markup: parts.join('') };
}

function inserted(value: Inserted): string {
  if (value === undefined) return '';
  if (isList(value)) return value.map(({ markup }) => markup).join('\n');
  if (typeof value === 'object') return value.markup;
  return escapeHtml(String(value));
}

/** Text as it stands in HTML and in attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

function isList(value: Inserted): value is readonly Html[] {
  return Array.isArray(value);
}
