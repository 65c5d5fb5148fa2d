import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { globalParameters } from '../../../scripts/tracking-parameters.ts';
import { removeTextFragment, withoutTracking } from '../../../src/urls/shortenable-url-rules.ts';
import listed from '../../../src/urls/tracking-parameters.json' with { type: 'json' };

describe('tracking parameters', () => {
  test('are those of tidy-url: `node scripts/tracking-parameters.ts` updates the list', () => {
    expect(listed).toEqual(globalParameters());
    expect(listed.length).toBeGreaterThan(50);
  });

  test.each([
    ['https://a.example/?utm_source=x', 'https://a.example/', ['utm_source']],
    ['https://a.example/?id=1&UTM_Source=x&q=%20a+b#part', 'https://a.example/?id=1&q=%20a+b#part', ['UTM_Source']],
    ['https://a.example/p?gclid=1&fbclid=2&gclid=3', 'https://a.example/p', ['gclid', 'fbclid']],
    ['https://a.example/?utm%5Fsource=x&a', 'https://a.example/?a', ['utm_source']],
    ['https://a.example/?msclkid=1&&b=', 'https://a.example/?&b=', ['msclkid']],
    ['https://a.example/p?elq', 'https://a.example/p', ['elq']],
  ])('are removed from %s', (address, url, removed) => {
    expect(withoutTracking(address)).toEqual({ url, removed });
  });

  test.each([
    'https://a.example/',
    'https://a.example/?',
    'https://a.example/?ref=front&source=x&id=utm_source',
    'https://a.example/utm_source=x#?utm_source=y',
    'https://a.example/?q=%E0%A4%A&%zz=1',
    // A signed URL stops working if any part of it is removed.
    'https://a.example/?utm_source=x&X-Amz-Signature=abc',
    'https://a.example/?utm_source=x&sig=abc',
  ])('are not found in %s', (address) => {
    expect(withoutTracking(address)).toEqual({ url: address, removed: [] });
  });

  test('leave everything else unchanged when removed', () => {
    const part = fc.oneof(
      fc.constantFrom('utm_source=1', 'gclid', 'fbclid=', 'sig=1', 'hmac'),
      // No tracking parameter and no signature begins with "own".
      fc.stringMatching(/^own[a-z]{1,5}(=[\w%+]*)?$/),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('', '#', '#a?gclid=1'), (parts, hash) => {
        const query = parts.length > 0 ? `?${parts.join('&')}` : '';
        const { url, removed } = withoutTracking(`https://a.example/p${query}${hash}`);
        const kept = parts.filter((one) => !/^(utm_source|gclid|fbclid)(=|$)/.test(one));
        const rest = kept.length > 0 ? `?${kept.join('&')}` : '';
        const isSigned = parts.some((one) => /^(sig|hmac)(=|$)/.test(one));
        expect(url).toBe(`https://a.example/p${removed.length > 0 ? rest : query}${hash}`);
        expect(removed.length > 0).toBe(kept.length < parts.length && !isSigned);
      }),
    );
  });
});

test.each([
  ['https://a.example/#:~:text=slow%20water', 'https://a.example/'],
  ['https://a.example/p?q#part:~:text=a,-b&text=c', 'https://a.example/p?q#part'],
  ['https://a.example/#part', null],
  ['https://a.example/:~:text=a', null],
])('the highlighted text of %s can be removed', (address, expected) => {
  expect(removeTextFragment(address)).toBe(expected);
});
