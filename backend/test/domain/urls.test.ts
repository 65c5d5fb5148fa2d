import { isPrivateTarget } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TargetRules, URL_BYTES, validateTarget } from '../../src/domain/links/link-rules.ts';

const PUBLIC: TargetRules = {
  ownUrls: ['https://api.sho.rt', 'https://sho.rt'],
  allowPrivate: false,
  maxUrlBytes: URL_BYTES.standard,
  blocks: () => false,
};
const LOCAL: TargetRules = {
  ownUrls: ['http://127.0.0.1:8787', 'http://127.0.0.1:8788'],
  allowPrivate: true,
  maxUrlBytes: URL_BYTES.standard,
  blocks: () => false,
};
const validate = (url: string, rules = PUBLIC) => validateTarget(url, rules);

describe('a valid URL', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:80/a b?c=d#e', 'http://example.com/a%20b?c=d#e'],
    ['https://münchen.example.de/straße', 'https://xn--mnchen-3ya.example.de/stra%C3%9Fe'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://sho.rt.example.com/', 'https://sho.rt.example.com/'],
    ['https://notsho.rt/', 'https://notsho.rt/'],
  ])('%s is stored as the URL parser writes it', (text, href) => expect(validate(text)).toEqual({ href }));

  it('is stored in a form that is valid and does not change when it is validated again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        const first = validate(text);
        if ('href' in first) expect(validate(first.href)).toEqual(first);
      }),
    );
  });

  it('is always a valid Location header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tail) => {
        const target = validate(`https://example.com/${tail}`);
        if ('href' in target) expect(target.href).toMatch(/^[\x21-\x7e]{1,8192}$/);
      }),
    );
  });

  it('is validated without an exception, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(validate(text)).toBeTypeOf('object');
      }),
    );
  });

  it('can be as long as the setting allows, but not longer', () => {
    const fitting = `https://example.com/${'a'.repeat(URL_BYTES.standard - 20)}`;
    expect(validate(fitting)).toEqual({ href: fitting });
    expect(validate(`${fitting}a`)).toEqual({ refused: 'too_long' });
    expect(validate(`https://example.com/${'ü'.repeat(1400)}`)).toEqual({ refused: 'too_long' });
  });
});

describe('an invalid URL', () => {
  it.each([
    '',
    'example.com',
    '/path',
    'http://',
    'https://exa mple.com/',
    'https://example.com:99999/',
    'https://example..com/',
    'https://.example.com/',
    'https://example.com../',
    'https://./',
    'https://localhost../',
    'https://sho.rt../abc',
    'https://sho%2Ert.%2E/abc',
    'https://sho。rt。。/abc',
  ])('%s', (text) => expect(validate(text)).toEqual({ refused: 'invalid_url' }));
});

describe('a URL with another scheme', () => {
  it.each([
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'mailto:ada@example.com',
    'tel:110',
    'tel:+49-30-110',
    'market://details?id=com.example',
    'htps://example.com/',
  ])('%s', (text) => expect(validate(text)).toEqual({ refused: 'other_scheme' }));

  it.each(['example.com:8080/page', 'localhost:3000'])('is not a host with a port, such as %s', (text) => {
    expect(validate(text)).toEqual({ refused: 'invalid_url' });
  });
});

describe('a URL with a user name or password', () => {
  it.each(['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/'])('%s', (text) =>
    expect(validate(text)).toEqual({ refused: 'user_info' }),
  );
});

describe("the service's own hosts", () => {
  it.each([
    'https://sho.rt/abc',
    'http://sho.rt/abc',
    'https://SHO.rt/abc',
    'https://sho.rt./abc',
    'https://sho.rt:8443/abc',
    'https://sho%2Ert/abc',
    'https://ｓｈｏ.rt/abc',
    'https://api.sho.rt/',
  ])('%s is refused', (text) => expect(validate(text)).toEqual({ refused: 'target_refused' }));

  it('are refused as IP addresses in any spelling', () => {
    const rules: TargetRules = { ...PUBLIC, ownUrls: ['https://93.184.216.34'] };
    for (const host of ['93.184.216.34', '0x5db8d822', '1572395042', '93.184.55330', '93.184.216.34.']) {
      expect(validate(`https://${host}:4443/`, rules), host).toEqual({ refused: 'target_refused' });
    }
    for (const own of ['93.184.216.34', '[::ffff:93.184.216.34]']) {
      for (const host of [
        '93.184.216.34',
        '[::ffff:93.184.216.34]',
        '[::ffff:5db8:d822]',
        '[0:0:0:0:0:ffff:5DB8:D822]',
      ]) {
        const spelled = { ...PUBLIC, ownUrls: [`https://${own}:8443`] };
        expect(validate(`http://${host}/x`, spelled), `${host} for ${own}`).toEqual({ refused: 'target_refused' });
      }
    }
  });

  it.each(['127.0.0.1', 'localhost', '127.1', '[::1]', '[::ffff:127.0.0.1]', 'LOCALHOST.', '0.0.0.0'])(
    'on loopback are refused as %s with the same port, but other ports are allowed',
    (host) => {
      expect(validate(`http://${host}:8788/x`, LOCAL)).toEqual({ refused: 'target_refused' });
      expect(validate(`http://${host}:3000/x`, LOCAL)).toHaveProperty('href');
    },
  );
});

describe('a blocked host', () => {
  const rules: TargetRules = { ...PUBLIC, blocks: (host) => host === 'evil.example.org' };

  it('is refused in every notation', () => {
    const anyCase = fc.mixedCase(fc.constant('evil.example.org'));
    const dot = fc.constantFrom('', '.');
    const port = fc.constantFrom('', ':80', ':8443');
    const scheme = fc.constantFrom('http', 'https', 'HTTPS');
    fc.assert(
      fc.property(scheme, anyCase, dot, port, fc.webPath(), (first, host, end, number, path) => {
        expect(validate(`${first}://${host}${end}${number}${path}`, rules)).toEqual({ refused: 'target_refused' });
      }),
    );
    expect(validate('https://evil%2Eexample.org', rules)).toEqual({ refused: 'target_refused' });
    expect(validate('https://ｅvil.example。org', rules)).toEqual({ refused: 'target_refused' });
    expect(validate('https://example.org', rules)).toHaveProperty('href');
  });
});

describe("the service's own hosts, in any notation", () => {
  it('are refused with any case, trailing dot, port, scheme, path or percent-encoding', () => {
    const encoded = fc
      .array(fc.boolean(), { minLength: 6, maxLength: 6 })
      .map((flags) => [...'sho.rt'].map((letter, index) => (flags[index] ? percent(letter) : letter)).join(''));
    const spelled = fc.oneof(encoded, fc.mixedCase(fc.constant('sho.rt')));
    const port = fc.integer({ min: 1, max: 65_535 }).map((number) => `:${number}`);
    fc.assert(
      fc.property(
        fc.constantFrom('http', 'https'),
        spelled,
        fc.constantFrom('', '.'),
        fc.oneof(fc.constant(''), port),
        fc.webPath(),
        (scheme, host, dot, number, path) => {
          expect(validate(`${scheme}://${host}${dot}${number}${path}`)).toEqual({ refused: 'target_refused' });
        },
      ),
    );
  });

  it('are refused in every notation of an IPv4 address', () => {
    const rules: TargetRules = { ...PUBLIC, ownUrls: ['https://93.184.216.34'] };
    const octets = [93, 184, 216, 34];
    const notation = fc.constantFrom(10, 16, 8);
    fc.assert(
      fc.property(fc.tuple(notation, notation, notation, notation), fc.integer({ min: 1, max: 4 }), (bases, parts) => {
        // In a shorter notation, the last number contains all remaining octets (WHATWG URL standard, IPv4 parser).
        const last = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
        const numbers = [...octets.slice(0, parts - 1), last];
        const host = numbers.map((number, index) => inBase(number, bases[index] ?? 10)).join('.');
        expect(validate(`http://${host}/`, rules), host).toEqual({ refused: 'target_refused' });
      }),
    );
  });
});

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

function inBase(number: number, base: number): string {
  const prefix = base === 16 ? '0x' : base === 8 ? '0' : '';
  return prefix + number.toString(base);
}

describe('a target on a private network', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:db8::1]',
    'localhost',
    'localhost.',
    'app.localhost',
    'printer.local',
    'vault.internal',
    'nas.home.arpa',
    'router.lan',
    'mail.corp',
    'nas.home',
    'wiki.intranet',
    'db.private',
    'host.localdomain',
    'intranet',
  ])('%s is refused, unless the operator allows it', (host) => {
    expect(validate(`http://${host}:8080/`)).toEqual({ refused: 'target_refused' });
    expect(validate(`http://${host}:8080/`, { ...PUBLIC, allowPrivate: true })).toHaveProperty('href');
  });

  it('is refused if any client could treat it as private', () => {
    const octet = fc.nat(255);
    const start = fc.constantFrom('127', '10', '192.168', '169.254', '172.15', '172.16', '172.31', '172.32');
    const ipv4 = fc.tuple(start, octet, octet, octet).map((parts) => parts.join('.').split('.').slice(0, 4).join('.'));
    const group = fc.nat(0xffff).map((number) => number.toString(16));
    const ipv6 = fc
      .tuple(fc.constantFrom('fc00', 'fdff', 'fe80', 'febf', '2000'), group)
      .map((parts) => `[${parts.join('::')}]`);
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6, fc.constantFrom('[::1]', 'localhost', 'a.lan', 'nas'), fc.domain()), (host) => {
        const text = `http://${host}/`;
        fc.pre(isPrivateTarget(new URL(text)));
        expect(validate(text)).toEqual({ refused: 'target_refused' });
      }),
    );
  });

  it('is refused in every address range that is not public', () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '192.168', '169.254', '0'),
        fc.tuple(octet, octet, octet),
        (net, rest) => {
          const host = [...net.split('.'), ...rest].slice(0, 4).join('.');
          expect(validate(`http://${host}/`)).toEqual({ refused: 'target_refused' });
          expect(validate(`http://[::ffff:${host}]/`)).toEqual({ refused: 'target_refused' });
        },
      ),
    );
  });
});
