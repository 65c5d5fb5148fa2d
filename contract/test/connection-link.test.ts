import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatConnectionLink,
  isLoopback,
  KEY_SCOPES,
  parseConnectionLink,
  parseServiceAddress,
} from '../src/index.ts';

describe('a service address', () => {
  test.each([
    ['https://links.example.com', 'https://links.example.com'],
    ['https://links.example.com/', 'https://links.example.com'],
    ['  https://LINKS.example.com//  ', 'https://links.example.com'],
    ['links.example.com', 'https://links.example.com'],
    ['links.example.com:8443', 'https://links.example.com:8443'],
    ['https://links.example.com:443', 'https://links.example.com'],
    ['https://example.com/links/', 'https://example.com/links'],
    ['https://example.com/links?utm=1#top', 'https://example.com/links'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['http://terse.localhost', 'http://terse.localhost'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://127.1:8787', 'http://127.0.0.1:8787'],
    ['localhost:8787', 'https://localhost:8787'],
    ['192.168.0.7:8443', 'https://192.168.0.7:8443'],
    ['[2001:db8::7]:8443', 'https://[2001:db8::7]:8443'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['https://intranet_7:8443/links', 'https://intranet_7:8443/links'],
  ])('%j is read as %s', (text, baseUrl) => {
    expect(parseServiceAddress(text)).toEqual({ baseUrl });
  });

  test.each([
    ['', 'not_a_url'],
    ['   ', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['not a url', 'not_a_url'],
    ['https://exa mple.com', 'not_a_url'],
    ['https://example.com/a b', 'not_a_url'],
    ['javascript:alert(1)', 'not_a_url'],
    ['javascript:1', 'not_a_url'],
    ['data:7', 'not_a_url'],
    ['http//links.example.com', 'not_a_url'],
    ['https//links.example.com/', 'not_a_url'],
    ['htp:/links.example.com', 'not_a_url'],
    ['https:/links.example.com', 'not_a_url'],
    ['https:links.example.com', 'not_a_url'],
    ['links', 'not_a_url'],
    ['a,b', 'not_a_url'],
    ['a,b.example', 'not_a_url'],
    ['https://a,b.example', 'not_a_url'],
    ["https://it's.example", 'not_a_url'],
    ['links..example', 'not_a_url'],
    ['https://example.com:99999', 'not_a_url'],
    ['ftp://example.com', 'not_http'],
    ['ws://example.com', 'not_http'],
    ['chrome-extension://abc/', 'not_http'],
    ['http://links.example.com', 'insecure'],
    ['http://10.0.0.1', 'insecure'],
    ['http://[::1]:8787', 'insecure'],
    ['http://127.0.0.2', 'insecure'],
    ['http://localhost.example.com', 'insecure'],
    ['http://notlocalhost', 'insecure'],
    ['https://me@example.com', 'user_info'],
    ['https://:secret@example.com', 'user_info'],
    ['me@example.com', 'user_info'],
  ])('%j is refused as %s', (text, problem) => {
    expect(parseServiceAddress(text)).toEqual({ problem });
  });

  test('does not change when it is parsed again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const parsed = parseServiceAddress(text);
        if ('baseUrl' in parsed) expect(parseServiceAddress(parsed.baseUrl)).toEqual(parsed);
      }),
    );
  });

  test('has a host name or IP address, and a host name of one word needs a scheme', () => {
    const bare = fc.stringMatching(/^[a-z]{1,9}$/).filter((name) => name !== 'localhost');
    const rest = fc.oneof(
      fc.webPath(),
      fc.nat({ max: 65_535 }).map((port) => `:${port}`),
      fc.constant(':/x'),
    );
    fc.assert(
      fc.property(bare, rest, (name, more) => {
        expect(parseServiceAddress(name + more)).toEqual({ problem: 'not_a_url' });
      }),
    );
    const domains = fc.domain().filter((domain) => URL.canParse(`https://${domain}`));
    const symbol = fc.constantFrom(..."!$&'()*+,;=~`{}");
    fc.assert(
      fc.property(domains, symbol, fc.nat(), fc.boolean(), (domain, one, position, hasScheme) => {
        const at = position % domain.length;
        const host = domain.slice(0, at) + one + domain.slice(at);
        expect(parseServiceAddress(hasScheme ? `https://${host}` : host)).toEqual({ problem: 'not_a_url' });
        expect(parseServiceAddress(domain)).toEqual({ baseUrl: `https://${domain.toLowerCase()}` });
      }),
    );
  });

  test('is an https address, a loopback address or a problem, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.webAuthority()), (text) => {
        const parsed = parseServiceAddress(text);
        if ('problem' in parsed) return;
        const { protocol, hostname, username, password } = new URL(parsed.baseUrl);
        expect(username + password).toBe('');
        expect(hostname).toMatch(/^(\[[\da-f:]+\]|[\w-]+(\.[\w-]+)*\.?)$/);
        expect(protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))).toBe(true);
      }),
    );
  });
});

describe('a connection link', () => {
  test('contains an address and a key', () => {
    expect(parseConnectionLink(' https://links.example.com/#key=terse_abc ')).toEqual({
      baseUrl: 'https://links.example.com',
      apiKey: 'terse_abc',
    });
  });

  test.each([
    '',
    'https://links.example.com',
    'https://links.example.com/#',
    'https://links.example.com/#key=',
    'https://links.example.com/#key=%20',
    'https://links.example.com/#token=abc',
    'https://links.example.com/?key=abc',
    'http://links.example.com/#key=abc',
    'https://me@links.example.com/#key=abc',
    '#key=abc',
  ])('cannot be read from %j', (text) => {
    expect(parseConnectionLink(text)).toBeNull();
  });

  test('has its key only in the fragment, which browsers never send', () => {
    const link = formatConnectionLink({ baseUrl: 'https://links.example.com', apiKey: 'terse_abc' });
    expect(link).toBe('https://links.example.com/#key=terse_abc');
  });

  test('may contain the scopes of its key', () => {
    const connection = { baseUrl: 'https://links.example.com', apiKey: 'terse_abc' };
    const written = formatConnectionLink({ ...connection, scopes: ['create', 'read'], ownLinksOnly: true });
    expect(written).toBe('https://links.example.com/#key=terse_abc&scopes=create,read&links=own');
    const scopes = ['create', 'read'];
    expect(parseConnectionLink(written)).toEqual({ ...connection, scopes, ownLinksOnly: true });
    const all = 'https://links.example.com/#key=terse_abc&scopes=read,create,fly,read';
    expect(parseConnectionLink(all)).toEqual({ ...connection, scopes, ownLinksOnly: false });
  });

  test.each(['scopes=', 'scopes=fly', 'links=own', 'scope=create'])('with the parameter %j has no scopes', (more) => {
    expect(parseConnectionLink(`https://links.example.com/#key=terse_abc&${more}`)).toEqual({
      baseUrl: 'https://links.example.com',
      apiKey: 'terse_abc',
    });
  });

  test('is read back unchanged, for any key', () => {
    const key = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 64,
    });
    const access = fc.option(
      fc.record({ scopes: fc.subarray([...KEY_SCOPES], { minLength: 1 }), ownLinksOnly: fc.boolean() }),
    );
    const baseUrl = fc.constantFrom('https://links.example.com', 'https://example.com/links', 'http://127.0.0.1:8787');
    fc.assert(
      fc.property(baseUrl, key, access, (address, apiKey, rest) => {
        const connection = { baseUrl: address, apiKey, ...rest };
        expect(parseConnectionLink(formatConnectionLink(connection))).toEqual(connection);
      }),
    );
  });

  test('can be read from any text without an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseConnectionLink(`${text}#key=${text}`)));
  });
});
