/** Connections of assistants in PostgreSQL: a key of the account, and the tokens that stand for it. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  generateAccessToken,
  type KeyCheck,
  type KeyDigest,
  parseSecrets,
  SCOPES,
  type Scope,
} from '@vcds/credentials';
import { type Clock, orUnavailable } from '@vcds/service-kit';
import type { Accounts } from '../accounts/account.ts';
import type { Database } from '../accounts/database.ts';
import type { Change } from '../accounts/journal.ts';
import { endKey } from '../accounts/key.ts';
import { keyStateOf } from '../accounts/state.ts';
import type { ApiKey, OauthGrant, Prisma } from '../generated/client.ts';
import type { AccountKeyInput, AccountKeys } from '../keys/account-keys.ts';
import type { KeyChecker } from '../keys/check-key.ts';

const CODE_MS = 60_000;
export const ACCESS_MS = 3_600_000;
const REFRESH_MS = 30 * 86_400_000;
/** A connection ends after this, whatever is refreshed. */
export const CONNECTION_SECONDS = 90 * 86_400;
/** So long may a refresh token that was just replaced be sent again: two refreshes at once get one answer. */
const REPEAT_MS = 30_000;
const REFRESH = /^vcds_rt_([0-9a-f-]{36})\.([\w-]{22})\.([\w-]{43})$/;

/** The consent of a person. */
export interface Consent {
  readonly accountId: string;
  readonly clientDigest: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly resource: string;
  /** Undefined: everything the plan allows. */
  readonly scopes: readonly Scope[] | undefined;
  readonly creditLimit: number | undefined;
  readonly isStillSignedIn: NonNullable<AccountKeyInput['isStillSignedIn']>;
}

/** New tokens, and the only copy of their texts. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

/** Why there are no tokens. */
export type NoTokens = 'over' | 'other redirect' | 'other scope';

export type Grants = ReturnType<typeof createGrants>;

interface GrantsOptions {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'revokeKey'>;
  readonly accountKeys: Pick<AccountKeys, 'create'>;
  readonly checkKey: KeyChecker;
  /** Signs the access tokens. */
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
}

export function createGrants(options: GrantsOptions) {
  const { database, accounts, accountKeys, checkKey, clock } = options;
  const secrets = parseSecrets(options.serviceTokenSecret);
  const [current] = secrets;
  const now = () => new Date(clock.wallMs());
  /** The connection with a token of the client, and its key; null if there is none. */
  const find = (clientId: string, where: Prisma.OauthGrantWhereInput) =>
    database.oauthGrant.findFirst({
      where: { ...where, clientDigest: clientDigestOf(clientId) },
      include: { key: true },
    });

  /** The tokens of a connection whose step `where` was still open; undefined if it no longer was. */
  const issue = async (
    { key, keyId, codeUsedAt }: Connection,
    where: { readonly codeUsedAt?: null; readonly refreshDigest?: string },
    next: Pair,
  ): Promise<Tokens | undefined> => {
    const at = now();
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at)) return undefined;
    const { access, refresh, family } = next;
    const { count } = await database.oauthGrant.updateMany({
      where: { keyId, ...where },
      data: {
        codeUsedAt: codeUsedAt ?? at,
        familyDigest: digest(family),
        accessDigest: digest(access),
        accessExpiresAt: new Date(at.getTime() + ACCESS_MS),
        refreshDigest: digest(refresh),
        refreshExpiresAt: new Date(at.getTime() + REFRESH_MS),
      },
    });
    if (count === 0) return undefined;
    return { access, refresh, expiresInSeconds: ACCESS_MS / 1000, scopes: scopesOf(key) };
  };

  // They follow from the refresh token that they replace, so that they can be answered again.
  const pairAfter = (keyId: string, family: string, before: string, secret = current): Pair => {
    const derived = (of: string) =>
      createHmac('sha256', secret).update(`oauth ${of} ${before}`).digest();
    const access = generateAccessToken(secret, derived('access'));
    const refresh = `vcds_rt_${keyId}.${family}.${derived('refresh').toString('base64url')}`;
    return { access, refresh, family };
  };
  // Another process may have another of the secrets in the first place.
  const repeated = async (
    keyId: string,
    family: string,
    before: string,
  ): Promise<Tokens | undefined> => {
    const include = { key: true } as const;
    const grant = await database.oauthGrant.findUniqueOrThrow({ where: { keyId }, include });
    const { key, refreshDigest, accessExpiresAt } = grant;
    const pair = secrets
      .map((secret) => pairAfter(keyId, family, before, secret))
      .find(({ refresh }) => digest(refresh) === refreshDigest);
    if (key.revokedAt !== null || pair === undefined) return undefined;
    const leftMs = (accessExpiresAt?.getTime() ?? 0) - clock.wallMs();
    if (leftMs <= ACCESS_MS - REPEAT_MS) return undefined;
    const { access, refresh } = pair;
    return { access, refresh, expiresInSeconds: Math.floor(leftMs / 1000), scopes: scopesOf(key) };
  };

  return {
    /** Creates the key of a connection, and the code that its tokens are got with, within a minute. */
    consent: async ({ clientName, scopes, creditLimit, isStillSignedIn, ...asked }: Consent) => {
      const { accountId } = asked;
      const code = random();
      const creation = await accountKeys.create({
        ...{ accountId, name: clientName, scopes, creditLimit, isStillSignedIn, origin: 'oauth' },
        expiresInSeconds: CONNECTION_SECONDS,
        before: (change) => endUnused(change, accountId),
        after: async ({ tx, at }, keyId) => {
          await tx.oauthGrant.create({
            data: {
              ...{ ...asked, keyId, createdAt: at },
              codeDigest: digest(code),
              codeExpiresAt: new Date(at.getTime() + CODE_MS),
            },
          });
        },
      });
      return creation.status === 'created'
        ? ({ status: 'created', code } as const)
        : { status: creation.status };
    },
    /** The challenge of a code; undefined for an unknown one. */
    challengeOf: async (clientId: string, code: string): Promise<string | undefined> =>
      (await find(clientId, { codeDigest: digest(code) }))?.codeChallenge,
    /** Redeems a code, once. A second time ends the connection: somebody else has the code. */
    redeem: async (
      clientId: string,
      code: string,
      redirectUri: string | undefined,
    ): Promise<Tokens | NoTokens> => {
      const grant = await find(clientId, { codeDigest: digest(code) });
      if (grant === null) return 'over';
      const isOpen = grant.codeUsedAt === null && grant.codeExpiresAt > now();
      if (isOpen && grant.redirectUri !== redirectUri) return 'other redirect';
      const tokens = isOpen
        ? await issue(grant, { codeUsedAt: null }, pairAfter(grant.keyId, random(16), random()))
        : undefined;
      if (tokens !== undefined) return tokens;
      if (isOpen || grant.codeUsedAt !== null) await accounts.revokeKey(grant.keyId);
      return 'over';
    },
    /**
     * Replaces both tokens. The token that they replaced is answered with the same pair for 30 s; any
     * older one ends the connection.
     */
    refresh: async (
      clientId: string,
      text: string,
      scopes: readonly string[] = [],
    ): Promise<Tokens | NoTokens> => {
      const [, keyId = '', family = ''] = REFRESH.exec(text) ?? [];
      if (keyId === '') return 'over';
      const grant = await find(clientId, { keyId, familyDigest: digest(family) });
      if (grant === null) return 'over';
      const granted: readonly string[] = scopesOf(grant.key);
      if (!scopes.every((scope) => granted.includes(scope))) return 'other scope';
      if (grant.refreshDigest === digest(text)) {
        if (grant.refreshExpiresAt === null || grant.refreshExpiresAt <= now()) return 'over';
        const next = pairAfter(keyId, family, text);
        const tokens = await issue(grant, { refreshDigest: digest(text) }, next);
        if (tokens !== undefined) return tokens;
      }
      const again = await repeated(keyId, family, text);
      if (again !== undefined) return again;
      await accounts.revokeKey(keyId);
      return 'over';
    },
    /** Ends the connection of a token of the client (RFC 7009). An unknown token is no error. */
    revoke: async (clientId: string, text: string): Promise<void> => {
      const [, keyId, family = ''] = REFRESH.exec(text) ?? [];
      const where =
        keyId === undefined
          ? { accessDigest: digest(text) }
          : { keyId, familyDigest: digest(family) };
      const grant = await find(clientId, where);
      if (grant !== null) await accounts.revokeKey(grant.keyId);
    },
    /** Checks an access token for a resource: that it is current, and its key. */
    check: async (accessDigest: KeyDigest, resource: string): Promise<KeyCheck> => {
      const grant = await orUnavailable(
        database.oauthGrant.findUnique({ where: { accessDigest }, include: { key: true } }),
      );
      if (grant === null || grant.resource !== resource) return { rejected: 'unknown' };
      const { accessExpiresAt } = grant;
      if (accessExpiresAt === null || accessExpiresAt <= now()) return { rejected: 'expired' };
      const check = await checkKey(keyStateOf(grant.key).digest);
      if ('rejected' in check) return check;
      const { expiresAt } = check.principal;
      const ends = expiresAt !== null && expiresAt < accessExpiresAt ? expiresAt : accessExpiresAt;
      return { principal: { ...check.principal, expiresAt: ends } };
    },
  };
}

type Connection = OauthGrant & { readonly key: ApiKey };

interface Pair extends Pick<Tokens, 'access' | 'refresh'> {
  readonly family: string;
}

function scopesOf(key: ApiKey): readonly Scope[] {
  return keyStateOf(key).scopes ?? SCOPES;
}

// Connections whose code was not redeemed in time hold no place among the keys of the account.
async function endUnused(change: Change, accountId: string): Promise<void> {
  const unused = await change.tx.oauthGrant.findMany({
    where: {
      accountId,
      codeUsedAt: null,
      codeExpiresAt: { lte: change.at },
      key: { revokedAt: null },
    },
    select: { keyId: true },
    take: 100,
  });
  for (const { keyId } of unused) await endKey(change, keyId);
}

/** A client in stored form: its id may be long. */
export function clientDigestOf(clientId: string): string {
  return digest(clientId);
}

function random(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
