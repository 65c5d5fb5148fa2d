import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress, parseTrustedProxies, type TrustedProxies } from '../../src/http/client-address.ts';

const trusted = (text: string): TrustedProxies => {
  const networks = parseTrustedProxies(text);
  if (!networks) throw new Error(`${text} is not a list of networks`);
  return networks;
};
const PROXIES = trusted('10.0.0.0/8, 2001:db8::/32 192.0.2.1');

describe('trusted proxies', () => {
  it.each(['10.0.0.0/8', '', ' 10.1.2.3 ', '::1,fd00::/8', '10.0.0.0/8,\n192.168.0.0/16'])('can be %j', (text) => {
    expect(parseTrustedProxies(text)).not.toBeNull();
  });

  it.each([
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/8/9',
    '10.0.0.1/',
    '10.0.0.1/x',
    '*',
    '10.0.0.0/8;::1',
    '::1/129',
    '/8',
    '10.0.0.0/',
    '10.1/8',
    '010.0.0.1',
    'fe80::1%eth0',
  ])('cannot be %j', (text) => {
    expect(parseTrustedProxies(text)).toBeNull();
  });

  it.each([
    ['10.255.0.1', true],
    ['::ffff:10.1.1.1', true],
    ['2001:db8::7', true],
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['11.0.0.1', false],
    ['10.1', false],
    ['2001:db8::7%eth0', false],
    ['nonsense', false],
    ['', false],
  ])('include %s: %s', (address, expected) => {
    expect(PROXIES.includes(address)).toBe(expected);
  });
});

it.each([
  ['', null],
  ['10.0.0.1', 32],
  ['10.0.0.1, 128.0.0.0/1', 1],
  ['::1', 128],
  ['fc00::/7', 7],
  ['::ffff:0.0.0.0/96', 0],
])('the largest trusted network of %j has the prefix length %s', (text, length) => {
  expect(trusted(text).shortestPrefix).toBe(length);
});

describe("the client's address", () => {
  const by = (remoteAddress: string, list?: string) =>
    clientAddress(
      { socket: { remoteAddress }, headers: { 'x-forwarded-for': list } } as unknown as IncomingMessage,
      PROXIES,
    );

  it.each([
    ['is the peer if the peer is not trusted', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['is the header of a trusted peer', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is the rightmost untrusted hop', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['is the first hop if all hops are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is the last valid hop before an invalid one', '10.0.0.1', '203.0.113.9, unknown, 10.0.0.2', '10.0.0.2'],
    ['can have a port', '10.0.0.1', '203.0.113.9:5555', '203.0.113.9'],
    ['can be IPv6', '::ffff:10.0.0.1', '2001:0DB9::0001', '2001:db9::1'],
    ['can be IPv6 with a port', '10.0.0.1', '[2001:db9::1]:80', '2001:db9::1'],
    ['is extracted from an IPv4-mapped peer', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['is extracted from an IPv4-mapped header', '10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['can be link-local', 'fe80::1%eth0', undefined, 'fe80::1%eth0'],
    ['is the peer if there is no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['is the peer if the header is empty', '10.0.0.1', ' , ', '10.0.0.1'],
  ])('%s', (_, peer, list, expected) => {
    expect(by(peer, list)).toBe(expected);
  });
});
