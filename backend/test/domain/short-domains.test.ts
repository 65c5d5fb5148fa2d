import { describe, expect, it } from 'vitest';
import { foldCode } from '../../src/domain/links/short-codes.ts';
import {
  createHostFinder,
  domainAt,
  hostOfDomain,
  isStoredCode,
  type ShortBaseUrls,
  shortUrlOf,
  splitStoredCode,
  storedCode,
} from '../../src/domain/links/short-domains.ts';

const BASES: ShortBaseUrls = ['https://t.example', 'http://go.example:8080', 'https://go.example:9090'];

describe('stored codes', () => {
  it.each([
    ['', 'abc', 'abc', 'https://t.example/abc'],
    ['go.example:8080', 'abc', '//go.example:8080/abc', 'http://go.example:8080/abc'],
    ['go.example:8080', 'team/2026', '//go.example:8080/team/2026', 'http://go.example:8080/team/2026'],
    ['removed.example', '🚀', '//removed.example/🚀', 'https://removed.example/%F0%9F%9A%80'],
    ['[::1]:8080', 'abc', '//[::1]:8080/abc', 'https://[::1]:8080/abc'],
  ])('combine the host %j and the code %s, and can be split again', (host, code, stored, shortUrl) => {
    expect(storedCode(host, code)).toBe(stored);
    expect(splitStoredCode(stored)).toEqual({ host, code });
    expect(isStoredCode(stored)).toBe(true);
    expect(shortUrlOf(stored, BASES)).toBe(shortUrl);
  });

  it.each([
    '',
    '//',
    '///abc',
    '//go.example',
    '//go.example/',
    '//GO.example/abc',
    '//go.example//abc',
    '/abc',
    '//a b/c',
  ])('are invalid if they are %j', (text) => expect(isStoredCode(text)).toBe(false));

  it('ignore case only for the letters A to Z, as in both databases', () => {
    expect(foldCode('ABZ-İÄ-é-09')).toBe('abz-İÄ-é-09');
  });
});

describe('the domain of a request', () => {
  it.each([
    ['t.example', ''],
    ['T.EXAMPLE:443', ''],
    ['go.example:8080', 'go.example:8080'],
    ['Go.Example:9090', 'go.example:9090'],
    ['go.example', 'go.example:8080'],
    ['go.example:443', 'go.example:8080'],
    ['removed.example', null],
    ['other.example', ''],
    [undefined, ''],
  ])('with the Host header %j is %j', (header, host) => {
    expect(createHostFinder(BASES, ['removed.example'])?.(header)).toBe(host);
  });

  it('is the default domain if there are no others', () => {
    expect(createHostFinder(['https://t.example'], [])).toBeNull();
    expect(createHostFinder(['https://t.example'], ['go.example'])?.('else.example')).toBe('');
  });
});

describe('names of domains', () => {
  it('ignore case, and the default domain has an empty host', () => {
    expect(hostOfDomain(' T.example ', BASES)).toBe('');
    expect(hostOfDomain('GO.example:8080', BASES)).toBe('go.example:8080');
  });

  it('are found by a host without the port', () => {
    expect(domainAt('go.example', BASES)).toBe('go.example:8080');
    expect(domainAt('bit.ly', BASES)).toBe('');
    expect(domainAt(null, BASES)).toBe('');
  });
});
