import { TagList } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  normalizeTags,
  normalizeTitle,
  splitTags,
  type TargetRules,
  tagKey,
  URL_BYTES,
  validateTarget,
} from '../../src/domain/links/link-rules.ts';

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

  it.each([
    ['\t https://a.example/x\r\n', 'https://a.example/x'],
    ['\u00a0https://a.example/x\u00a0', 'https://a.example/x'],
    ['\ufeffhttps://a.example/x\u200b', 'https://a.example/x'],
    ['https://a.example/Annual Report!', 'https://a.example/Annual%20Report!'],
  ])('%j is stored without the white space around it', (text, href) => expect(validate(text)).toEqual({ href }));

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

  it('can be as long as the setting allows, but not longer', () => {
    const fitting = `https://example.com/${'a'.repeat(URL_BYTES.standard - 20)}`;
    expect(validate(fitting)).toEqual({ href: fitting });
    expect(validate(`${fitting}a`)).toEqual({ refused: 'too_long' });
    expect(validate(`https://example.com/${'ü'.repeat(1400)}`)).toEqual({ refused: 'too_long' });
  });
});

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
  // The URL parser would remove line breaks and tabs, and so join two URLs into one.
  'https://a.example/\nhttps://b.example/',
  'https://a.example/\thttps://b.example/',
  'https://a.exa\nmple/',
  'ht\ntps://a.example/',
])('an invalid URL %s', (text) => expect(validate(text)).toEqual({ refused: 'invalid_url' }));

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

it.each(['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/'])(
  'a URL with a user name or password %s',
  (text) => expect(validate(text)).toEqual({ refused: 'user_info' }),
);

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
    for (const url of ['http://EVIL.example.org.:8443/a', 'https://evil%2Eexample.org', 'https://ｅvil.example。org']) {
      expect(validate(url, rules)).toEqual({ refused: 'target_refused' });
    }
    expect(validate('https://example.org', rules)).toHaveProperty('href');
  });
});

it.each([
  '169.254.169.254',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '[::ffff:10.0.0.1]',
  '[fd00::1]',
  '[3fff::1]',
  'localhost.',
  'printer.local',
])('a target on a private network %s is refused, unless the operator allows it', (host) => {
  expect(validate(`http://${host}:8080/`)).toEqual({ refused: 'target_refused' });
  expect(validate(`http://${host}:8080/`, { ...PUBLIC, allowPrivate: true })).toHaveProperty('href');
});

describe('a title', () => {
  it.each([
    ['All about otters', 'All about otters'],
    ['  two\n\tlines\u0000 ', 'two lines'],
    ['<b>"x" & \'y\'</b>', '<b>"x" & \'y\'</b>'],
    ['🦦 \ud83e', '🦦 \ufffd'],
    ['', null],
    [' \u0000\n', null],
    [null, null],
    [undefined, null],
  ])('%j is stored as %j', (text, kept) => {
    expect(normalizeTitle(text)).toBe(kept);
  });

  it('is stored on one line, well-formed, with a maximum length, and does not change when stored again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\0', '\u0085', '\ud83e', '🦦', '\u2028') }),
        (text) => {
          const kept = normalizeTitle(text);
          if (kept === null) return;
          expect(normalizeTitle(kept)).toBe(kept);
          expect(kept).not.toMatch(/[\p{Cc}\u2028]/u);
          expect(kept.isWellFormed()).toBe(true);
          expect(kept.length).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});

describe('tags', () => {
  it.each([
    [[' News '], ['News']],
    [['a\tb', 'a  b'], ['a b']],
    [
      ['News', 'news', 'NEWS', 'other'],
      ['News', 'other'],
    ],
    [['e\u0301'], ['\u00e9']],
    [['\ud800x'], ['\ufffdx']],
    [[], []],
    [['x'.repeat(50)], ['x'.repeat(50)]],
  ])('%j are stored as %j', (texts, stored) => expect(normalizeTags(texts)).toEqual(stored));

  it('are stored in a form that stays the same, without duplicates and line breaks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 12 }), (texts) => {
        const tags = normalizeTags(texts);
        if (tags === 'invalid') return;
        expect(normalizeTags(tags)).toEqual(tags);
        expect(TagList.parse(tags)).toEqual(tags);
        expect(splitTags(tags.join(', ')).map((tag) => tag.trim())).toEqual(tags);
        expect(new Set(tags.map(tagKey)).size).toBe(tags.length);
        expect(tags.join('')).not.toMatch(/[\n\r]/);
      }),
    );
  });
});
