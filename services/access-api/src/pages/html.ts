const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of safe HTML. */
export interface Html {
  readonly markup: string;
}

/** A value of a template: text is escaped, HTML is inserted, undefined is nothing. */
export type Inserted = string | number | Html | readonly Html[] | undefined;

/** HTML with escaped values, in text and in quoted attributes; Html is inserted unchanged. */
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

/** Escapes text for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

function isList(value: Inserted): value is readonly Html[] {
  return Array.isArray(value);
}
