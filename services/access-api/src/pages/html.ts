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

/** HTML whose values are escaped, for text and for attributes in quotes; Html goes in as it is. */
export function html(texts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const parts = texts.map((text, i) => `${text}${inserted(values[i])}`);
  return { markup: parts.join('') };
}

function inserted(value: string | Html | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return value.markup;
  return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
