import { isRequestId } from '@vcds/metering';
import { orUnavailable } from '@vcds/service-kit';
import type { History } from '../accounts/history.ts';
import type { ChargeRecord, Position, UsageHistory } from '../credits/usage-history.ts';
import { type AreaPage, type OwnerVisit, ownerPage } from './area.ts';
import { countText, moment } from './format.ts';
import { type Html, html } from './html.ts';
import { nothingHerePage, type Page, PLACES } from './layout.ts';
import { older, table } from './parts.ts';
import { CHARGES_PATH, chargedAccount, keyCell, LAG } from './usage.ts';

/** Rows on one page. */
const SHOWN = 50;

interface ChargesOptions {
  readonly history: Pick<History, 'findAccount'>;
  readonly charges: Pick<UsageHistory, 'charges' | 'ofRequest'>;
}

/** Single charges, newest first, and a search for the charge of one call. */
export function chargesPages(options: ChargesOptions): AreaPage[] {
  return [ownerPage('GET', CHARGES_PATH, (visit) => chargesPage(options, visit))];
}

async function chargesPage(options: ChargesOptions, { query, session }: OwnerVisit): Promise<Page> {
  const { accountId } = session;
  const requestId = query.get('request')?.trim();
  const text = query.get('after');
  const after = parsePosition(text);
  if (
    requestId === undefined ? text !== undefined && after === undefined : !isRequestId(requestId)
  ) {
    return nothingHerePage();
  }
  const page = { limit: SHOWN + 1, ...(after === undefined ? {} : { after }) };
  const finding =
    requestId === undefined
      ? options.charges.charges(accountId, page)
      : options.charges.ofRequest(requestId, accountId);
  const [found, { names }] = await orUnavailable(
    Promise.all([finding, chargedAccount(options, accountId)]),
  );
  const shown = found.slice(0, SHOWN);
  const last = found.length > SHOWN ? shown.at(-1) : undefined;
  const rows = shown.map((charge: ChargeRecord) => [
    moment(charge.chargedAt),
    html`<code>${charge.endpoint}</code>`,
    keyCell(names, charge.keyId),
    html`<code>${charge.requestId}</code>`,
    countText(charge.charged),
  ]);
  return {
    title: 'All charges',
    place: 'usage',
    body: html`<p><a href="${PLACES.usage}">By month</a></p>
${requestSearch(requestId)}
${
  rows.length === 0
    ? html`<p>${requestId === undefined ? 'No charges.' : NO_SUCH_CHARGE}</p>`
    : table('Charges, newest first', COLUMNS, rows)
}
${older(last && `${CHARGES_PATH}?after=${positionText(last)}`, 'Earlier charges')}
${LAG}`,
  };
}

const NO_SUCH_CHARGE =
  'No charge of this account has this request id. Free calls and errors are not charged.';
const COLUMNS = [
  { heading: 'When' },
  { heading: 'Endpoint' },
  { heading: 'Key' },
  { heading: 'Request id' },
  { heading: 'Credits', isNumber: true },
];

// The id is in X-Request-Id of every response.
function requestSearch(requestId = ''): Html {
  return html`<form method="get" action="${CHARGES_PATH}">
<div class="field">
<label for="request">Request id (the X-Request-Id header of the response)</label>
<input id="request" name="request" value="${requestId}" minlength="8" maxlength="64"
pattern="[0-9A-Za-z\\-]+" required autocomplete="off" spellcheck="false">
</div>
<p class="actions"><button class="second small">Find charge</button></p>
</form>`;
}

// A position in the list: the instant in milliseconds, then the number of the charge.
function positionText({ chargedAt, seq }: Position): string {
  return `${chargedAt.getTime()}-${seq}`;
}

function parsePosition(text: string | undefined): Position | undefined {
  const [, ms, seq] = /^(\d{1,15})-(\d{1,18})$/.exec(text ?? '') ?? [];
  if (ms === undefined || seq === undefined) return undefined;
  return { chargedAt: new Date(Number(ms)), seq: BigInt(seq) };
}
