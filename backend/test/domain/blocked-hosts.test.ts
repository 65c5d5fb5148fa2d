import { plainHost } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isListed, parseBlockList } from '../../src/config/blocked-hosts-file.ts';

function list(...lines: string[]) {
  const { hosts, problems } = parseBlockList(lines.join('\n'));
  expect(problems).toEqual([]);
  return { size: hosts.size, blocks: (host: string) => isListed(host, hosts) };
}
const blocks = (of: ReturnType<typeof list>, url: string) => of.blocks(plainHost(new URL(url)));

describe('a block list', () => {
  it('blocks a host with its subdomains', () => {
    const one = list('evil.example');
    expect(one.size).toBe(1);
    for (const host of ['evil.example', 'www.evil.example', 'a.b.evil.example'])
      expect(one.blocks(host), host).toBe(true);
    for (const host of ['notevil.example', 'evil.example.org', 'example']) expect(one.blocks(host), host).toBe(false);
  });

  it('accepts comments, blank lines, any case, spaces and line endings', () => {
    const { size, blocks: has } = list('# bad ones', '', '  EVIL.example. # since May\r', 'evil.example', '\r');
    expect(size).toBe(1);
    expect(has('evil.example')).toBe(true);
  });

  it('recognizes an internationalized name in both notations', () => {
    const has = list('bücher.example');
    expect(blocks(has, 'https://xn--bcher-kva.example/')).toBe(true);
    expect(blocks(has, 'https://www.BÜCHER.example/')).toBe(true);
  });

  it.each(['93.184.216.34', '0x5db8d822', '[::ffff:93.184.216.34]', '::ffff:5db8:d822'])(
    'recognizes an IPv4 address, listed as %s, in every notation',
    (entry) => {
      const has = list(entry);
      for (const host of ['93.184.216.34', '1572395042', '93.184.55330', '[::ffff:93.184.216.34]'])
        expect(blocks(has, `http://${host}:8080/`), host).toBe(true);
      expect(blocks(has, 'http://93.184.216.35/')).toBe(false);
    },
  );

  it.each(['2001:db8:0::1', '[2001:0db8::1]'])('recognizes an IPv6 address, listed as %s', (entry) => {
    expect(blocks(list(entry), 'http://[2001:DB8::0:1]/')).toBe(true);
    expect(blocks(list(entry), 'http://[2001:db8::2]/')).toBe(false);
  });

  it.each([
    'https://evil.example',
    'evil.example/path',
    'evil.example:80',
    'a b',
    '*',
    '*.evil.example',
    'a.*.example',
    'me@evil.example',
    '.evil.example',
    '1.2.3.4.5',
    '0.0.0.0 evil.example',
    'exa..mple',
    'example..',
  ])('reports that %j is not a host, with the line number', (line) => {
    expect(parseBlockList(`fine.example\n${line}`).problems).toEqual([`Line 2: "${line}" is not a host.`]);
  });

  it('blocks nothing if it is empty', () => {
    const { size, blocks: has } = list('', '# nothing yet');
    expect([size, has('example.com'), has('')]).toEqual([0, false, false]);
  });

  it('blocks a host only if the host or one of its parent domains is listed', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
    fc.assert(
      fc.property(fc.array(name), name, (entries, host) => {
        const expected = entries.some((entry) => `.${host}`.endsWith(`.${entry}`));
        expect(list(...entries).blocks(host)).toBe(expected);
      }),
    );
  });
});
