import {
  type Product,
  startDurableProduct,
  type TestRedisServer,
  testRsaKey,
} from '@vcds/test-kit';
import { type SendgridServer, startSendgridServer } from '../mail/sendgrid-server.ts';

/** The secrets of the operator. */
export const OPERATOR_SECRETS = {
  SERVICE_TOKEN_SECRET: 'service-secret-w8Ht2mZpQ4vXc7RbN1sK',
  CODE_SECRET: 'code-secret-j5Ld9yGfT3kUe6MnB0qP-and-more',
  CURSOR_SECRET: 'cursor-secret-a7Sx4oVhW2cJi8ErD1zF',
  SENDGRID_API_KEY: 'SG.nR6bY1tCq3Zm.x9KpLw5VfHs8Ud2Jg',
} as const;

/** All processes of the product, with all that they can log. */
export interface SecretsStack extends Product<TestRedisServer> {
  readonly mail: SendgridServer;
  /** The private key in PEM. */
  readonly signingKey: string;
}

export async function openStack(): Promise<SecretsStack> {
  const mail = await startSendgridServer();
  const signingKey = testRsaKey().pem;
  const product = await startDurableProduct({
    programs: ['access-api', 'worker', 'data-api'],
    environment: {
      LOG_LEVEL: 'trace',
      LEGACY_SIGNING_KEY: signingKey,
      MAIL_TRANSPORT: 'sendgrid',
      MAIL_FROM: 'keys@example.com',
      SENDGRID_BASE_URL: mail.url,
      ...OPERATOR_SECRETS,
    },
  });
  const close = async (): Promise<void> => {
    await product.close();
    await mail.close();
  };
  return { ...product, mail, signingKey, close };
}
