import { expect, test } from 'vitest';
import { isWebAddress, shown } from '../../../src/ui/addresses.ts';

test.each([
  ['https://go.example/x', true],
  ['http://localhost:8788/x', true],
  ['javascript:alert(1)', false],
  ['JAVASCRIPT:alert(1)//https://x.example', false],
  ['data:text/html,hi', false],
  ['', false],
])('isWebAddress %s', (url, expected) => {
  expect(isWebAddress(url)).toBe(expected);
});

test.each([
  ['https://example.org/', { host: 'example.org', rest: '' }],
  ['https://example.org:8443/a?b=c#d', { host: 'example.org:8443', rest: '/a?b=c#d' }],
  ['https://example.jp/%E6%9D%B1', { host: 'example.jp', rest: '/東' }],
  ['https://example.org/%E2%80%AEgpj.exe', { host: 'example.org', rest: '/%E2%80%AEgpj.exe' }],
  ['https://example.org/100%', { host: 'example.org', rest: '/100%' }],
  ['javascript:alert(1)', { host: '', rest: 'javascript:alert(1)' }],
])('shown %s', (url, expected) => {
  expect(shown(url)).toEqual(expected);
});
