import { describe, expect, it } from 'vitest';
import { asciiHost, readableHost, readableParts, readableUrl } from '../src/readable-host.ts';

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

it.each([
  ['https://example.org/', 'example.org', ''],
  ['http://xn--krz-hoa.example:81/%E6%9D%B1?q=%C3%BC#%D7%A9', 'kürz.example:81', '/東?q=ü#ש'],
  ['https://example.org/a%2Fb%20c', 'example.org', '/a%2Fb%20c'],
  ['https://example.org/%E6%9D%B1%20b%C2%A0%C3%BC', 'example.org', '/東%20b%C2%A0ü'],
  ['https://example.org/%E2%80%AEgpj.exe', 'example.org', '/%E2%80%AEgpj.exe'],
  ['https://example.org/%D7%A9%E2%81%A6', 'example.org', '/ש%E2%81%A6'],
  ['https://example.org/100%', 'example.org', '/100%'],
])('the readable parts of %s are decoded, except spaces and invisible characters', (url, host, rest) => {
  expect(readableParts(url)).toEqual({ host, rest });
});

it('only web URLs have readable parts', () => {
  for (const text of ['javascript:alert(1)', 'mailto:a@b.example', 'example.org', '']) {
    expect(readableParts(text)).toBeNull();
  }
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
