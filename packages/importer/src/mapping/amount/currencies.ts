/** Currencies of amounts, by code, sign or name. */

/** The table: what sources write, in lower case, and the codes that it may mean, the usual one first. */
const WRITTEN = `
$ dollar dollars|USD CAD AUD NZD SGD HKD TWD MXN CLP COP ARS
us$ usd$ u.s.$ u$s us-dollar|USD
€ euro euros|EUR
£ pound pounds|GBP
¥ ￥|JPY CNY
yen|JPY
yuan rmb 元|CNY
円|JPY
₹|INR
rs rs. rupee rupees|INR PKR LKR NPR
₩|KRW
₪ nis|ILS
₺ tl|TRY
₽ руб руб.|RUB
₴|UAH
₦|NGN
₫|VND
฿|THB
₱|PHP
zł zl|PLN
kč kc|CZK
kr kr.|SEK NOK DKK ISK
sfr fr fr.|CHF
r$|BRL
a$ au$ aud$|AUD
c$ ca$ can$ cad$|CAD
nz$|NZD
s$ sg$|SGD
hk$|HKD
nt$|TWD
mx$|MXN
rp|IDR
`;

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const BY_TEXT: ReadonlyMap<string, readonly string[]> = new Map(
  WRITTEN.trim()
    .split('\n')
    .flatMap((row) => {
      const [texts = '', codes = ''] = row.split('|');
      return texts.split(' ').map((text) => [text, codes.split(' ')] as const);
    }),
);

/** The codes that a sign, code or name may mean; the first is the usual one. */
export function currenciesOf(text: string): readonly string[] | undefined {
  const known = BY_TEXT.get(text.toLowerCase());
  if (known !== undefined) return known;
  const code = text.toUpperCase();
  return CODES.has(code) ? [code] : undefined;
}

/** The code of a currency that is certain; a dollar sign alone is the US dollar. */
export function certainCurrency(codes: readonly string[]): string | undefined {
  return codes.length === 1 || codes[0] === 'USD' ? codes[0] : undefined;
}
