import { describe, expect, it } from 'vitest';
import { asciiHost, readableHost, readableUrl } from '../src/readable-host.ts';

/** Returns the host as browsers send and store it. */
const ascii = (host: string) => new URL(`https://${host}`).host;

describe('the readable form of a host', () => {
  it.each([
    'kürz.example',
    'www.münchen.de:8080',
    'straße.example',
    'ışık.example',
    'ソニー.example',
    'go日本.example',
    '한국go.example',
    'ελλάδα.example',
    'яндекс.example',
    'аррӏе.рф',
    'عربي.example',
    'हिन्दी.example',
    'ไทย.example',
    'sho.rt',
    'localhost:8788',
    '[::1]:8788',
  ])('is %s', (host) => expect(readableHost(ascii(host))).toBe(host));

  it.each([
    ['Latin and Cyrillic letters', 'pаypal.com'],
    ['Latin and Greek letters', 'gοogle.com'],
    ['Greek and Cyrillic letters', 'αб.example'],
    ['only Cyrillic letters that look Latin', 'аррӏе.com'],
    ['only Greek letters that look Latin', 'ονικ.com'],
    ['a letter that looks like a slash', 'bank.exampleノlogin.example'],
    ['symbols', 'i❤.example'],
    ['phonetic letters', 'ɡoogle.com'],
  ])('is xn-- for a name with %s', (_, host) => expect(readableHost(ascii(host))).toContain('xn--'));

  it('leaves only the suspicious labels as xn--', () => {
    expect(readableHost(ascii('münchen.pаypal.com'))).toBe('münchen.xn--pypal-4ve.com');
  });

  it.each(['xn--a', 'xn--', 'xn--99999999.example', 'xn--k.xn--', 'xn--krz-hoa-.example'])(
    'of the invalid host %s is the host itself',
    (host) => expect(readableHost(host)).toBe(host),
  );
});

it('the readable form of a URL changes only its host', () => {
  expect(readableUrl('https://xn--krz-hoa.example/a?to=xn--krz-hoa#b')).toBe('https://kürz.example/a?to=xn--krz-hoa#b');
  const unchanged = [
    'https://a.example/xn--krz-hoa',
    'https://me@xn--krz-hoa.example/',
    'mailto:a@xn--krz-hoa.example',
  ];
  for (const text of [...unchanged, 'the text xn--krz-hoa', '']) expect(readableUrl(text)).toBe(text);
});

it('both spellings of a domain are the same host', () => {
  for (const name of [
    'kürz.example',
    'KÜRZ.example',
    'xn--krz-hoa.example',
    'XN--KRZ-HOA.EXAMPLE',
    'ku\u0308rz.example',
  ]) {
    expect(asciiHost(name)).toBe('xn--krz-hoa.example');
  }
  expect(asciiHost('kürz.example:8443')).toBe('xn--krz-hoa.example:8443');
  for (const text of ['', 'a b', 'a/b', 'a?b', 'a#b', 'me@a', 'a\tb', 'https://a', ':80'])
    expect(asciiHost(text)).toBeNull();
});
