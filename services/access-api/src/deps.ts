import { createRedisLedger } from '@vcds/metering/redis';
import { PORTAL_FOLDER } from '@vcds/portal';
import {
  type Clock,
  closeRedis,
  createLogger,
  createMetrics,
  createRedis,
  type Logger,
  type Resource,
  systemClock,
} from '@vcds/service-kit';
import { createAccounts } from './accounts/account.ts';
import { createRedisGuard } from './accounts/redis-guard.ts';
import { createSessionStore } from './accounts/session.ts';
import { openStores } from './accounts/stores.ts';
import type { AccessConfig } from './config.ts';
import { createUsageHistory } from './credits/usage-history.ts';
import { createUsageSums } from './credits/usage-sums.ts';
import { createAccountKeys } from './keys/account-keys.ts';
import { createKeyChecker } from './keys/check-key.ts';
import { openSigningKeys } from './legacy/legacy-config.ts';
import { openLegacy } from './legacy/open-legacy.ts';
import type { ScryptCost } from './legacy/password.ts';
import { createMailQueue, type MailQueue } from './mail/queue.ts';
import { createClientDocuments } from './oauth/client-documents.ts';
import { createEncryption } from './oauth/encryption.ts';
import { createGrants } from './oauth/grants.ts';
import { footerOf } from './pages/footer.ts';
import { createDisposableDomains } from './registration/disposable-domains.ts';
import { createMailDomainCheck } from './registration/mail-domain.ts';
import { createMailSender } from './registration/mail-sender.ts';
import { createRegistrationMetrics } from './registration/registration-metrics.ts';
import { createRegistrationStore } from './registration/registration-store.ts';
import { createRegistrationSecrets } from './registration/secrets.ts';
import { loadSite } from './site/load-site.ts';

const NAME = 'access-api';
/** A stopping process waits this long for messages to be queued; the worker queues the rest. */
const QUEUE_CLOSE_MS_MAX = 6_000;

/** Parts that differ between the service and a test. */
export interface DepsOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Default: the queue in QUEUE_REDIS_URL. */
  readonly queue?: MailQueue;
  /** Time limit of a Redis command. Default as in `createRedis`. */
  readonly commandTimeoutMs?: number;
  /** Of a comparison with the password of an unknown user. Default: that of the service. */
  readonly passwordCost?: ScryptCost;
  /** The built documentation. Default: that of this build. */
  readonly portalFolder?: URL;
}

/** The components of access-api, and the resources to close after the last request. */
export type AccessDeps = Awaited<ReturnType<typeof openDeps>>;

/**
 * Opens the database, Redis and the mail queue, and creates the components that use them. They
 * connect on first use, so this succeeds while a server is down.
 *
 * @throws ConfigError for an invalid signing key.
 */
export async function openDeps(config: AccessConfig, options: DepsOptions = {}) {
  const { clock = systemClock, commandTimeoutMs } = options;
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const { registry } = metrics;
  const signingKeys = await openSigningKeys(config);
  const redis = createRedis({
    url: config.REDIS_URL,
    name: NAME,
    logger,
    registry,
    ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
  });
  const stores = openStores(config.databaseUrl, redis, clock);
  const { database, history, mirror } = stores;
  const queueUrl = config.QUEUE_REDIS_URL ?? config.REDIS_URL;
  const queue = options.queue ?? createMailQueue({ url: queueUrl, logger });
  const secrets = createRegistrationSecrets(config.CODE_SECRET);

  const guard = createRedisGuard({ history, mirror, logger });
  const checkKey = createKeyChecker({ ...stores, guard });
  const accounts = createAccounts(stores);

  const accessPublicUrl = config.ACCESS_API_PUBLIC_URL;
  const urls = { accessPublicUrl, dataPublicUrl: config.DATA_API_PUBLIC_URL };
  const footer = footerOf({ imprintUrl: config.IMPRINT_URL, contact: config.SUPPORT_EMAIL });
  const servers = config.dnsServers;
  const registrationMetrics = createRegistrationMetrics(registry);
  const mails = createMailSender({ queue, metrics: registrationMetrics, logger });
  const legacy = openLegacy({
    ...{ ...stores, redis, checkKey, registry, logger, secrets },
    keys: signingKeys,
    passwordCost: options.passwordCost,
  });
  const resources: Resource[] = [
    {
      name: 'mail queue',
      closeMsMax: QUEUE_CLOSE_MS_MAX,
      close: async () => {
        await mails.settled();
        await queue.close();
      },
    },
    { name: 'redis', close: () => closeRedis(redis) },
    { name: 'database', close: () => database.$disconnect() },
  ];
  const accountKeys = createAccountKeys({ ...stores, accounts });
  const serviceTokenSecret = config.SERVICE_TOKEN_SECRET;
  return {
    ...{ ...stores, config, logger, metrics, redis, resources },
    ...{ secrets, guard, checkKey, accounts, legacy, mails, registrationMetrics },
    ...urls,
    footer,
    site: loadSite(options.portalFolder ?? PORTAL_FOLDER, {
      ...{ ...urls, footer, sandboxPublicUrl: config.SANDBOX_PUBLIC_URL },
    }),
    serviceTokenSecret,
    supportEmail: config.SUPPORT_EMAIL,
    sessions: createSessionStore({ ...stores, redis, clock }),
    accountKeys,
    /** Undefined: assistants cannot be connected. */
    oauth:
      config.MCP_OAUTH === 'off'
        ? undefined
        : {
            grants: createGrants({
              ...stores,
              accounts,
              accountKeys,
              checkKey,
              serviceTokenSecret,
            }),
            encryption: createEncryption({ secrets, clock }),
            documents: createClientDocuments(clock),
          },
    ledger: createRedisLedger({ redis }).ledger,
    charges: createUsageHistory(database),
    usage: createUsageSums(database),
    registrations: createRegistrationStore({ redis, secrets, clock, accessPublicUrl }),
    isDisposable: createDisposableDomains(config.blockedDomains),
    canReceive: config.MX_CHECK === 'on' ? createMailDomainCheck({ servers, logger }) : undefined,
    tokens: legacy.tokens,
    checkToken: legacy.checkToken,
  };
}
