import { randomInt, randomUUID } from 'node:crypto';
import type { RedisClient } from '@vcds/service-kit';
import { encryptMail, type PendingMail } from '../../src/registration/mail-source.ts';
import { newRegistrationId, registrationKey } from '../../src/registration/redis-keys.ts';
import { createRegistrationSecrets } from '../../src/registration/secrets.ts';

export const CODE_SECRET = 'protects-registrations-of-tests-only';
export const secrets = createRegistrationSecrets(CODE_SECRET);

/** Leaves a registration in Redis as access-api does; its message is still to be sent. */
export async function leaveRegistration(
  redis: RedisClient,
  { lifeMs = 600_000, to = `${randomUUID()}@mail.example` } = {},
): Promise<PendingMail> {
  const id = newRegistrationId(secrets.digest('address', to));
  const mail = {
    registrationId: id,
    to,
    code: String(randomInt(1_000_000)).padStart(6, '0'),
    linkUrl: `http://127.0.0.1:8081/account/sign-in/${id}.${randomUUID()}`,
    expiresAt: new Date(Date.now() + lifeMs),
  };
  const fields = {
    state: 'pending',
    expiresAt: mail.expiresAt.getTime(),
    mail: encryptMail(secrets, mail, id),
  };
  await redis.hset(registrationKey(id), fields);
  return mail;
}
