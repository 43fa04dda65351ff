import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { looksLikeWebsite, websiteForms } from '../src/sites/website-forms.ts';

test.each([
  ['stripe.com', 'stripe.com', 'stripe.com', ''],
  ['https://www.stripe.com/', 'stripe.com', 'stripe.com', ''],
  ['HTTPS://WWW2.Stripe.COM/About/?q=1#x', 'stripe.com', 'stripe.com', '/about'],
  ['blog.stripe.co.uk/a', 'blog.stripe.co.uk', 'stripe.co.uk', '/a'],
  ['me@stripe.com', 'stripe.com', 'stripe.com', ''],
  ['someone.github.io', 'someone.github.io', 'someone.github.io', ''],
  ['co.uk', 'co.uk', null, ''],
  ['127.0.0.1:8080/x', '127.0.0.1', null, '/x'],
  ['bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example', ''],
  ['www.com', 'www.com', 'www.com', ''],
  ['"acme.com"', 'acme.com', 'acme.com', ''],
  ['<https://acme.com/a>,', 'acme.com', 'acme.com', '/a'],
  ['acme.com,', 'acme.com', 'acme.com', ''],
  ['acme.com.;', 'acme.com', 'acme.com', ''],
  ['https://de.linkedin.com/company/x/', 'linkedin.com', 'linkedin.com', '/company/x'],
  ['pt-br.facebook.com/x', 'facebook.com', 'facebook.com', '/x'],
  ['m.facebook.com/profile.php?ref=y&id=7', 'facebook.com', 'facebook.com', '/profile.php?id=7'],
  ['play.google.com/a?id=B&hl=en', 'play.google.com', 'google.com', '/a?id=B'],
  ['youtube.com/channel/UCaB', 'youtube.com', 'youtube.com', '/channel/UCaB'],
  ['m.youtube.com/@Acme', 'youtube.com', 'youtube.com', '/@acme'],
  ['bit.ly/3XyZ', 'bit.ly', 'bit.ly', '/3XyZ'],
  ['acme.com/a?id=7', 'acme.com', 'acme.com', '/a'],
  ['de.acme.com', 'de.acme.com', 'acme.com', ''],
  ['acme.substack.com/p/x', 'acme.substack.com', 'acme.substack.com', '/p/x'],
  ['acme.wordpress.com', 'acme.wordpress.com', 'acme.wordpress.com', ''],
])('%s has the host %s and the registrable domain %s', (text, host, registrable, path) => {
  expect(websiteForms(text)).toEqual({ host, registrable, path });
});

test.each(['', ' ', 'two words', 'http://', '/path', '?', '%%%'])('%j has no host', (text) => {
  expect(websiteForms(text)).toBeNull();
});

test('scheme, www, port, path and capitals do not change the host', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/).filter((text) => !/^www\d?$/.test(text));
  fc.assert(
    fc.property(label, label, (name, other) => {
      const host = websiteForms(`${name}.${other}.com`)?.host;
      for (const text of [
        `https://www.${name}.${other}.com/`,
        `HTTP://${name.toUpperCase()}.${other}.com:80/page?x`,
        ` //${name}.${other}.com. `,
      ]) {
        expect(websiteForms(text)?.host).toBe(host);
      }
    }),
  );
});

test('any text is parsed without an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const host = websiteForms(text)?.host;
      expect(host).not.toBe('');
      looksLikeWebsite(text);
    }),
  );
});

test.each(['stripe.com', 'Booking.com', 'https://a.io/b', 'foo.github.io', 'münchner.de'])(
  '%s may be a site',
  (text) => expect(looksLikeWebsite(text)).toBe(true),
);

test.each(['Stripe', 'Node.js', 'St. James', 'U.S. Robotix', 'co.uk', '1.5', '...', 'a b.com'])(
  '%s is a name only',
  (text) => expect(looksLikeWebsite(text)).toBe(false),
);
