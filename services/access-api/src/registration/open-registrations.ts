import type { Ledger } from '@vcds/metering';
import type { Clock, Logger, RedisClient, Resource, Route } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import { createAccounts } from '../accounts/accounts.ts';
import { createSessionStore } from '../accounts/session-store.ts';
import type { AccessConfig } from '../config.ts';
import { createUsageHistory } from '../credits/usage-history.ts';
import { usageRoute } from '../credits/usage-route.ts';
import { createUsageSums } from '../credits/usage-sums.ts';
import { createAccountKeys } from '../keys/account-keys.ts';
import type { TokenCheck } from '../legacy/token-check.ts';
import { createMailQueue } from '../mail/mail-queue.ts';
import { accountAreaRoutes } from '../pages/account-area.ts';
import type { Database } from '../store/database.ts';
import type { History } from '../store/history.ts';
import { createJournal } from '../store/journal.ts';
import type { KeyChecker } from '../store/key-check.ts';
import type { KeyStore } from '../store/key-store.ts';
import { createDisposableDomains } from './disposable-domains.ts';
import { createMailDomainCheck } from './mail-domain.ts';
import { createRegistrationMeasures } from './registration-measures.ts';
import { createRegistrationStore } from './registration-store.ts';
import { createRegistrations } from './registrations.ts';
import { registrationRoutes } from './routes.ts';
import { createRegistrationSecrets } from './secrets.ts';

/** How long a stopping process waits for messages to get into the queue; the rest are unsent. */
const SETTLE_MS_MAX = 6_000;

export interface OpenRegistrationsOptions {
  readonly config: AccessConfig;
  readonly redis: RedisClient;
  readonly database: Database;
  readonly history: History;
  readonly store: KeyStore;
  readonly checker: KeyChecker;
  readonly tokenCheck: TokenCheck;
  readonly ledger: Ledger;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The endpoints of registration and usage, the account area, and what to close after them. */
export interface OpenedRegistrations {
  readonly routes: readonly Route[];
  readonly resources: readonly Resource[];
}

/** Puts registration together: its store, the accounts behind it, the queue of messages. */
export function openRegistrations(options: OpenRegistrationsOptions): OpenedRegistrations {
  const { config, redis, database, history, store, checker, ledger, logger, clock } = options;
  const accessPublicUrl = config.ACCESS_API_PUBLIC_URL;
  const dataPublicUrl = config.DATA_API_PUBLIC_URL;
  const isDisposable = createDisposableDomains(config.refusedDomains);
  const servers = config.dnsServers;
  const queue = createMailQueue({ url: config.QUEUE_REDIS_URL ?? config.REDIS_URL, logger });
  const secrets = createRegistrationSecrets(config.CODE_SECRET);
  const accounts = createAccounts({
    journal: createJournal(database, clock),
    history,
    store,
    clock,
  });
  const accountKeys = createAccountKeys({ database, history, store, accounts, clock });
  const registrations = createRegistrations({
    store: createRegistrationStore({ redis, secrets, clock, accessPublicUrl }),
    accounts,
    accountKeys,
    history,
    ledger,
    queue,
    isDisposable,
    canReceive: config.MX_CHECK === 'on' ? createMailDomainCheck({ servers, logger }) : undefined,
    measures: createRegistrationMeasures(options.registry),
    logger,
  });
  return {
    routes: [
      ...registrationRoutes({ registrations, accessPublicUrl, dataPublicUrl }),
      ...accountAreaRoutes({
        sessions: createSessionStore(redis, clock),
        publicUrl: accessPublicUrl,
        dataPublicUrl,
        registrations,
        accountKeys,
        history,
        ledger,
        clock,
        charges: createUsageHistory(database),
        usage: createUsageSums(database),
        supportEmail: config.SUPPORT_EMAIL,
      }),
      usageRoute({ checker, tokenCheck: options.tokenCheck, ledger }),
    ],
    resources: [
      {
        name: 'mail queue',
        closeMsMax: SETTLE_MS_MAX,
        close: async () => {
          await registrations.settled();
          await queue.close();
        },
      },
    ],
  };
}
