import { ACCOUNT_KEY_LIMITS } from './account-keys.ts';

/**
 * Parses the name of a key: Unicode's composed form, with single spaces; undefined if empty. At
 * most 60 characters, without control and formatting characters, which could make two names look
 * alike.
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
