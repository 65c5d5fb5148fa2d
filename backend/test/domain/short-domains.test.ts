import { describe, expect, it } from 'vitest';
import {
  createDomainFinder,
  foldCode,
  isStoredCode,
  type ShortBaseUrls,
  shortUrlOf,
  splitStoredCode,
  storedCode,
} from '../../src/domain/links/short-codes.ts';

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
  const REMOVED = ['removed.example'];

  it.each([
    ['t.example', ''],
    ['T.EXAMPLE:443', ''],
    ['t.example.', ''],
    ['t.example.:443', ''],
    ['t.example:8788', ''],
    ['go.example:8080', 'go.example:8080'],
    ['Go.Example:9090', 'go.example:9090'],
  ])('with the Host header %j is %j', (header, host) => {
    expect(createDomainFinder(BASES, REMOVED)?.(header)).toEqual({ host });
  });

  it('is a removed domain if links were created on it, and it is no longer in the settings', () => {
    expect(createDomainFinder(BASES, REMOVED)?.('removed.example')).toBe('removed');
  });

  it.each([
    ['other.example'],
    ['127.0.0.1:8788'],
    // Two domains differ only in their ports.
    ['go.example'],
    ['go.example:443'],
    [''],
    [undefined],
  ])('is unknown with the Host header %j', (header) => {
    expect(createDomainFinder(BASES, REMOVED)?.(header)).toBe('unknown');
    expect(createDomainFinder(['https://t.example'], REMOVED)?.(header)).toBe('unknown');
  });

  it('is the default domain for all hosts if there has never been another domain', () => {
    expect(createDomainFinder(['https://t.example'], [])).toBeNull();
  });
});
