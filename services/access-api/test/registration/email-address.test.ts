// Tests docs/spec/registration.md 3.9.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { domainOf, parseEmailAddress } from '../../src/registration/email-address.ts';
import { mailboxOf, sharedDomainOf } from '../../src/registration/mailbox.ts';

describe('parseEmailAddress', () => {
  test.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['a.d.a+news@example.co.uk', 'a.d.a+news@example.co.uk'],
    ["o'hara@example.com", "o'hara@example.com"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ])('%j is %j', (text, address) => {
    expect(parseEmailAddress(text)).toBe(address);
  });

  test.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@0x7f.1',
    'ada@example.com.',
    'ada@.example.com',
    'ada@-example.com',
    'ada@exa mple.com',
    'ada@exa%6dple.com',
    'ada@example.com/path',
    'ada@example.com:25',
    'ada@bob@example.com',
    'a da@example.com',
    '.ada@example.com',
    'a..da@example.com',
    'adä@example.com',
    'Ada <ada@example.com>',
    'ada@example.com,bob@example.com',
    'ada@example.com\r\nBcc: bob@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(125)}com`,
  ])('%j is no address', (text) => {
    expect(parseEmailAddress(text)).toBeUndefined();
  });

  test('the normal form is its own normal form, and case never matters', () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9]{1,12}$/);
    const local = fc.stringMatching(/^[a-zA-Z0-9]{1,10}([.+_-][a-zA-Z0-9]{1,10}){0,3}$/);
    fc.assert(
      fc.property(local, fc.array(label, { minLength: 1, maxLength: 4 }), (name, labels) => {
        const address = parseEmailAddress(`${name}@${labels.join('.')}.example`);
        expect(address).toBeDefined();
        if (address === undefined) return;
        expect(parseEmailAddress(address)).toBe(address);
        expect(parseEmailAddress(address.toUpperCase())).toBe(address);
        expect(address).toMatch(new RegExp(`@${domainOf(address).replaceAll('.', '\\.')}$`));
      }),
    );
  });

  test('whatever is sent, the answer is an address of ordinary characters or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const address = parseEmailAddress(`a@${text}.example`);
        if (address !== undefined) expect(address).toMatch(/^a@[a-z0-9.-]+$/);
      }),
    );
  });
});

describe('mailboxOf', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada+news@example.com', 'ada@example.com'],
    ['ada+a+b@example.com', 'ada@example.com'],
    ['+ada@example.com', '+ada@example.com'],
    ['a.d.a@example.com', 'a.d.a@example.com'],
    ['a.d.a+x.y@gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
    ['a.da@protonmail.com', 'ada@proton.me'],
    ['ada@mail.gmail.com', 'ada@mail.gmail.com'],
    ['ada-news@yahoo.com', 'ada@yahoo.com'],
    ['ada-news+x@yahoo.co.uk', 'ada@yahoo.co.uk'],
    ['ada-x@ymail.com', 'ada@ymail.com'],
    ['ada-news@example.com', 'ada-news@example.com'],
    ['anything@ada.fastmail.com', 'ada@fastmail.com'],
    ['x@y.ada.fastmail.fm', 'ada@fastmail.fm'],
    ['ada+x@fastmail.com', 'ada@fastmail.com'],
    ['anything@ada.example.com', 'anything@ada.example.com'],
  ])('%s reaches %s', (address, mailbox) => {
    const parsed = parseEmailAddress(address);
    expect(parsed === undefined ? undefined : mailboxOf(parsed)).toBe(mailbox);
  });
});

describe('sharedDomainOf', () => {
  test.each([
    ['ada@example.com', 'example.com'],
    ['ada@a.b.example.co.uk', 'example.co.uk'],
    ['ada@ada.github.io', 'ada.github.io'],
    ['ada@gmail.com', undefined],
    ['ada@yahoo.de', undefined],
    ['ada@hotmail.fr', undefined],
    ['ada@ada.fastmail.com', undefined],
  ])('%s is limited with %s', (address, domain) => {
    const parsed = parseEmailAddress(address);
    expect(parsed === undefined ? parsed : sharedDomainOf(parsed)).toBe(domain);
  });
});
