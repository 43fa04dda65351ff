import { ACCOUNT_KEY_LIMITS } from './account-keys.ts';

/**
 * The name of a key as somebody typed it: spaces made single, in Unicode's composed form; an
 * empty one is none. At most 60 characters, none of them a control or formatting character, with
 * which one name could be made to look like another.
 */
export function readKeyName(
  text: string,
): { readonly name: string | undefined } | { readonly fault: string } {
  const name = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (name === '') return { name: undefined };
  const { nameLengthMax } = ACCOUNT_KEY_LIMITS;
  if ([...name].length > nameLengthMax) {
    return { fault: `A name has at most ${nameLengthMax} characters.` };
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(name)) {
    return { fault: 'The name contains an invisible character; type it again.' };
  }
  return { name };
}
