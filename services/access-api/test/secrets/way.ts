import { generateApiKey } from '@vcds/credentials';
import { eventually } from '@vcds/test-kit';
import type { SecretsStack } from './stack.ts';

/** The secrets that were used, and public data that the scan must find. */
export interface Way {
  /** Keys, tokens, passwords, links and session cookies. */
  readonly secrets: readonly string[];
  readonly codes: readonly string[];
  /** Ids of the accounts that went it. */
  readonly accountIds: readonly string[];
}

const PASSWORDS = ['a password typed by hand', 'a wrong password, guessed'] as const;

/** Every way to a key and from a key to an answer, over HTTP, right and wrong. */
export async function goTheWholeWay(stack: SecretsStack): Promise<Way> {
  const [posted, got, linked] = [await byPost(stack), await byGet(stack), await byLink(stack)];
  const keys = [posted.key, got.key, linked.key];
  const user = await byPassword(stack);
  const tokens = [
    await exchange(stack, posted.key),
    await exchange(stack, user.userName, user.password),
  ];
  await exchange(stack, user.userName, PASSWORDS[1]);
  for (const credential of [...keys, ...tokens]) await present(stack, credential);
  await mistakes(stack, got.key, tokens[0] ?? '');
  await stack.admin(['revoke', '-'], `${linked.key}\n`);
  await present(stack, linked.key);
  const { account_id: accountId = '' } = await stack.admin(['account', 'show', posted.email]);
  await settled(stack, posted.key, [accountId, user.accountId]);
  return {
    secrets: [...keys, ...tokens, ...linked.secrets, user.password, user.generated, PASSWORDS[1]],
    codes: [posted.code, got.code],
    accountIds: [accountId, user.accountId],
  };
}

async function byPost({ accessUrl, ...stack }: SecretsStack) {
  const email = 'post@private-mail.example';
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${accessUrl}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const { request_id } = await post('register', { email });
  const { code } = await messageTo(stack, email);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  await post('verify', { request_id, code: wrong });
  const { api_key: key = '' } = await post('verify', { request_id, code });
  await post('verify', { request_id, code });
  return { email, code, key };
}

async function byGet({ accessUrl, ...stack }: SecretsStack) {
  const email = 'get@private-mail.example';
  const get = async (path: string) => {
    const answer = await fetch(`${accessUrl}/api/v1/auth/${path}`);
    return (await answer.json()) as Record<string, string>;
  };
  await get(`register?email=${email}`);
  const { code } = await messageTo(stack, email);
  const { api_key: key = '' } = await get(`verify?email=${email}&code=${code}`);
  return { code, key };
}

// As a browser does: opens the link, then sends the form of the page.
async function byLink({ accessUrl, ...stack }: SecretsStack) {
  const email = 'link@private-mail.example';
  await fetch(`${accessUrl}/api/v1/auth/register?email=${email}`);
  const { link } = await messageTo(stack, email);
  await fetch(link);
  const answer = await fetch(link, { method: 'POST', headers: { Origin: accessUrl } });
  const [key = 'none'] = /pk_live_\w{49}/.exec(await answer.text()) ?? [];
  const set = answer.headers.getSetCookie().map((cookie) => /=([^;]*)/.exec(cookie)?.[1] ?? '');
  const secret = new URL(link).pathname.slice(-48);
  return { key, secrets: [secret, ...set.filter((value) => value.length >= 16)] };
}

async function byPassword(stack: SecretsStack) {
  const created = await stack.admin(['account', 'create', '--plan', 'growth']);
  const accountId = created.account_id ?? '';
  const set = ['account', 'password', accountId, '--user-name', 'legacy-user'];
  const { password: generated = '' } = await stack.admin([...set, '--generate']);
  await stack.admin(set, `${PASSWORDS[0]}\n`);
  return { accountId, userName: 'legacy-user', password: PASSWORDS[0], generated };
}

async function exchange({ accessUrl }: SecretsStack, name: string, password = ''): Promise<string> {
  const answer = await fetch(`${accessUrl}/v2/auth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
  });
  const { token = '' } = (await answer.json()) as { token?: string };
  return token;
}

/** Each way to present a key or token, on both hosts. */
async function present({ accessUrl, dataUrl }: SecretsStack, credential: string): Promise<void> {
  for (const url of [`${accessUrl}/api/v1/usage`, `${dataUrl}/v2/startups?$top=1`]) {
    await fetch(url, { headers: { 'X-Api-Key': credential } });
    await fetch(url, { headers: { Authorization: `Bearer ${credential}` } });
    await fetch(`${url}${url.includes('?') ? '&' : '?'}token=${credential}`);
  }
}

/** Common mistakes: keys in paths, fields, ids, twice, in the wrong header. */
async function mistakes({ accessUrl, dataUrl }: SecretsStack, key: string, token: string) {
  const filter = encodeURIComponent(`Name eq '${key}'`);
  for (const url of [
    `${dataUrl}/v2/${key}`,
    `${dataUrl}/v2/startups/${key}`,
    `${dataUrl}/v2/startups?$filter=${filter}&token=${key}`,
    `${dataUrl}/v2/startups?key=${key}&token=${key}`,
    `${dataUrl}/v2/startups?token=${key}&token=${token}`,
    `${dataUrl}/v2/startups?token=${token}%ZZ`,
    `${accessUrl}/api/v1/usage?token=${key}x`,
    `${accessUrl}/api/v1/usage/${token}`,
    `${accessUrl}/api/v1/auth/status?request_id=${key}`,
  ]) {
    await fetch(url, { headers: { 'X-Request-Id': key, 'User-Agent': key, Referer: url } });
  }
  const basic = `Basic ${Buffer.from(`${generateApiKey()}:${key}`).toString('base64')}`;
  for (const url of [`${accessUrl}/v2/auth/token`, `${accessUrl}/api/v1/auth/verify`]) {
    const headers = { Authorization: basic, 'Content-Type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ code: key, email: key }) });
  }
}

// The worker has drained what each account was charged.
async function settled(
  { accessUrl, ...stack }: SecretsStack,
  key: string,
  accountIds: readonly string[],
): Promise<void> {
  const answer = await fetch(`${accessUrl}/api/v1/usage`, { headers: { 'X-Api-Key': key } });
  const { limit, remaining } = (await answer.json()) as { limit: number; remaining: number };
  if (!(remaining < limit)) throw new Error(`Nothing was charged: ${stack.output()}`);
  for (const accountId of accountIds) {
    const show = () => stack.admin(['account', 'show', accountId]);
    await eventually(async () => ((await show()).usage_by_month?.length ?? 0) > 0);
  }
}

async function messageTo({ mail }: Pick<SecretsStack, 'mail'>, email: string) {
  return eventually(() => {
    const sent = mail.requests.find(({ body }) => body.personalizations[0]?.to[0]?.email === email);
    const message = sent?.body.content[0]?.value ?? '';
    const [code] = /\b\d{6}\b/.exec(message) ?? [];
    const [link] = /http\S+\/account\/sign-in\/[0-9a-f]+/.exec(message) ?? [];
    return code !== undefined && link !== undefined && { code, link };
  });
}
