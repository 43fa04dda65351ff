/** Connections of assistants in PostgreSQL: a key of the account, and the tokens that stand for it. */
import { createHash, randomBytes } from 'node:crypto';
import {
  generateAccessToken,
  type KeyCheck,
  type KeyDigest,
  SCOPES,
  type Scope,
} from '@vcds/credentials';
import { type Clock, orUnavailable } from '@vcds/service-kit';
import type { Accounts } from '../accounts/account.ts';
import type { Database } from '../accounts/database.ts';
import type { Change } from '../accounts/journal.ts';
import { endKey } from '../accounts/key.ts';
import { keyStateOf } from '../accounts/state.ts';
import type { OauthGrant } from '../generated/client.ts';
import type { AccountKeyInput, AccountKeys } from '../keys/account-keys.ts';
import type { KeyChecker } from '../keys/check-key.ts';

const CODE_MS = 60_000;
export const ACCESS_MS = 3_600_000;
const REFRESH_MS = 30 * 86_400_000;
/** A connection ends after this, whatever is refreshed. */
export const CONNECTION_SECONDS = 90 * 86_400;
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
  const { database, accounts, accountKeys, checkKey, serviceTokenSecret, clock } = options;
  const now = () => new Date(clock.wallMs());
  const live = async (grant: OauthGrant | null, clientId: string) =>
    grant !== null && grant.clientDigest === clientDigestOf(clientId) ? grant : undefined;
  const byCode = async (clientId: string, code: string) =>
    live(await database.oauthGrant.findUnique({ where: { codeDigest: digest(code) } }), clientId);

  /** The tokens of a connection whose step `where` was still open; undefined if it no longer was. */
  const issue = async (
    grant: OauthGrant,
    where: { readonly codeUsedAt?: null; readonly refreshDigest?: string },
    family: string,
  ): Promise<Tokens | undefined> => {
    const key = await database.apiKey.findUniqueOrThrow({ where: { id: grant.keyId } });
    const at = now();
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at)) return undefined;
    const access = generateAccessToken(serviceTokenSecret);
    const refresh = `vcds_rt_${grant.keyId}.${family}.${random()}`;
    const { count } = await database.oauthGrant.updateMany({
      where: { keyId: grant.keyId, ...where },
      data: {
        codeUsedAt: grant.codeUsedAt ?? at,
        familyDigest: digest(family),
        accessDigest: digest(access),
        accessExpiresAt: new Date(at.getTime() + ACCESS_MS),
        refreshDigest: digest(refresh),
        refreshExpiresAt: new Date(at.getTime() + REFRESH_MS),
      },
    });
    if (count === 0) return undefined;
    const scopes = keyStateOf(key).scopes ?? SCOPES;
    return { access, refresh, expiresInSeconds: ACCESS_MS / 1000, scopes };
  };

  return {
    /** Creates the key of a connection, and the code that its tokens are got with, within a minute. */
    consent: async ({
      accountId,
      clientName,
      scopes,
      creditLimit,
      isStillSignedIn,
      ...asked
    }: Consent) => {
      const code = random();
      const creation = await accountKeys.create({
        ...{ accountId, name: clientName, scopes, creditLimit, isStillSignedIn, origin: 'oauth' },
        expiresInSeconds: CONNECTION_SECONDS,
        before: (change) => endUnused(change, accountId),
        after: async ({ tx, at }, keyId) => {
          const { clientDigest, redirectUri, codeChallenge, resource } = asked;
          await tx.oauthGrant.create({
            data: {
              ...{ keyId, accountId, redirectUri, codeChallenge, resource, createdAt: at },
              clientDigest,
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
      (await byCode(clientId, code))?.codeChallenge,
    /** Redeems a code, once. A second time ends the connection: somebody else has the code. */
    redeem: async (
      clientId: string,
      code: string,
      redirectUri: string | undefined,
    ): Promise<Tokens | undefined> => {
      const grant = await byCode(clientId, code);
      if (grant === undefined) return undefined;
      const tokens =
        grant.codeUsedAt === null &&
        grant.codeExpiresAt > now() &&
        grant.redirectUri === redirectUri
          ? await issue(grant, { codeUsedAt: null }, random(16))
          : undefined;
      if (tokens !== undefined) return tokens;
      const { codeUsedAt } = await database.oauthGrant.findUniqueOrThrow({
        where: { keyId: grant.keyId },
      });
      if (codeUsedAt !== null) await accounts.revokeKey(grant.keyId);
      return undefined;
    },
    /** Replaces both tokens. An older refresh token ends the connection. */
    refresh: async (clientId: string, text: string): Promise<Tokens | undefined> => {
      const [, keyId = '', family = ''] = REFRESH.exec(text) ?? [];
      if (keyId === '') return undefined;
      const grant = await live(
        await database.oauthGrant.findUnique({ where: { keyId } }),
        clientId,
      );
      if (grant === undefined || grant.familyDigest !== digest(family)) return undefined;
      if (grant.refreshDigest === digest(text)) {
        if (grant.refreshExpiresAt === null || grant.refreshExpiresAt <= now()) return undefined;
        const tokens = await issue(grant, { refreshDigest: digest(text) }, family);
        if (tokens !== undefined) return tokens;
      }
      await accounts.revokeKey(keyId);
      return undefined;
    },
    /** Ends the connection of a token of the client (RFC 7009). An unknown token is no error. */
    revoke: async (clientId: string, text: string): Promise<void> => {
      const [, keyId, family = ''] = REFRESH.exec(text) ?? [];
      const found =
        keyId === undefined
          ? await database.oauthGrant.findUnique({ where: { accessDigest: digest(text) } })
          : await database.oauthGrant.findUnique({
              where: { keyId, familyDigest: digest(family) },
            });
      const grant = await live(found, clientId);
      if (grant !== undefined) await accounts.revokeKey(grant.keyId);
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
