import { expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { parseLink } from '../../src/registration/link.ts';
import { useLink } from '../../src/registration/verify.ts';
import { newAddress, newClient, open, openFixture, register, verify, wrong } from './fixture.ts';

test('counts registrations, verifications and messages by what came of them', async () => {
  const canReceive = async (domain: string) => domain !== 'no-mail.example';
  const fixture = await openFixture({
    blockedDomains: ['thrown-away.example'],
    replace: () => ({ canReceive }),
  });
  await register(fixture, 'a@thrown-away.example');
  await register(fixture, 'a@no-mail.example');
  const often = newAddress();
  for (let i = 0; i < 4; i++) await register(fixture, often);
  const client = newClient();
  for (let i = 0; i < 21; i++) await register(fixture, newAddress(), client);
  const { registrationId, code } = await open(fixture);
  const query = { request_id: registrationId, code };
  await verify(fixture, { ...query, code: wrong(code) });
  await verify(fixture, query);
  await verify(fixture, query);
  const linked = await open(fixture);
  for (const { linkUrl } of [linked, linked]) {
    const link = parseLink(new URL(linkUrl).pathname.split('/').at(-1) ?? '');
    if (link !== undefined) await useLink(fixture.access, link, true);
  }
  const dead = await open(fixture);
  for (let i = 1; i <= 6; i++) {
    await verify(fixture, { request_id: dead.registrationId, code: wrong(dead.code, i) });
  }
  // Messages are queued after the response.
  await eventually(() => fixture.access.queued.length >= 26);
  await fixture.access.mails.settled();
  const text = await fixture.access.metrics.registry.metrics();
  const counted = Object.fromEntries(
    [...text.matchAll(/^(\w+_total)\{(.*?),service="access-api"\} (\d+)$/gm)].map(
      ([, name, labels, count]) => [`${name} ${labels?.replaceAll('"', '')}`, Number(count)],
    ),
  );
  expect(counted).toMatchObject({
    'vcds_registrations_total outcome=opened': 3 + 20 + 3,
    'vcds_registrations_total outcome=disposable_domain': 1,
    'vcds_registrations_total outcome=no_mail_domain': 1,
    'vcds_registrations_total outcome=address_limit': 1,
    'vcds_registrations_total outcome=too_many_requests': 1,
    'vcds_verifications_total proof=code,outcome=granted': 1,
    'vcds_verifications_total proof=code,outcome=wrong_code': 1 + 4,
    'vcds_verifications_total proof=code,outcome=too_many_attempts': 2,
    'vcds_verifications_total proof=code,outcome=invalid_or_expired': 1,
    'vcds_verifications_total proof=link,outcome=granted': 1,
    'vcds_verifications_total proof=link,outcome=invalid_or_expired': 1,
    'vcds_mails_queued_total outcome=queued': 3 + 20 + 3,
  });
  // But for the numbers, in which any six digits may come by chance.
  const words = text.replaceAll(/ [\d.e+-]+$/gm, '');
  expect(words).not.toContain('@');
  expect(words).not.toContain(code);
});
