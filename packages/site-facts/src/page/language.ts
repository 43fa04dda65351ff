import { metas, type Page, type Statement } from './page.ts';

/**
 * The language of the page as a subtag of BCP 47, with the script where it is stated: `en`,
 * `zh-Hant`. The region is left out: it names the market rather than the language.
 */
export function findLanguage(page: Page): (Statement & { readonly tag: string }) | undefined {
  const { markup, header } = page;
  const statements: readonly (Statement | undefined)[] = [
    ...metas(markup, ['og:locale', 'inlanguage']),
    statement(markup.language, 'html lang'),
    ...metas(markup, ['content-language', 'language']),
    statement(header('content-language'), 'header Content-Language'),
  ];
  for (const each of statements) {
    const tag = each && tagOf(each.text);
    if (each !== undefined && tag !== undefined) return { ...each, tag };
  }
  return undefined;
}

function statement(text: string | undefined, source: string): Statement | undefined {
  return text === undefined ? undefined : { text, source };
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function tagOf(text: string): string | undefined {
  const parts = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_.@,;\s]|$)/iu.exec(text.trim());
  if (parts === null) return undefined;
  const [, language = '', script] = parts;
  const tag = Intl.getCanonicalLocales([language, script].filter(Boolean).join('-'))[0];
  return tag !== undefined && LANGUAGES.of(language) !== undefined ? tag : undefined;
}
