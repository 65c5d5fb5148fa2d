import { describe, expect, it } from 'vitest';
import { createClassifier } from '../../src/clicks/classify-click.ts';
import type { WrittenClick } from '../../src/clicks/journal-format.ts';
import { NOON } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CLICK: WrittenClick = { link: 1, instant: NOON, visitor: 7, agent: FIREFOX, referrer: '', country: '' };

describe('classifying clicks', () => {
  it('returns the same source object for clicks with equal properties, and different ones otherwise', () => {
    const classify = createClassifier();
    const ways: Partial<WrittenClick>[] = [
      {},
      { referrer: 'https://a.example/' },
      { country: 'NZ' },
      { referrer: 'https://a.example/', country: 'NZ' },
      { referrer: 'https://a.example/', country: 'FR' },
      { referrer: 'NZ' },
      { agent: 'curl/8.12.1' },
    ];
    const sources = ways.map((way) => classify({ ...CLICK, ...way }).source);
    expect(new Set(sources).size).toBe(ways.length);
    expect(ways.map((way) => classify({ ...CLICK, ...way, link: 2, visitor: 8 }).source)).toEqual(sources);
    for (const [at, way] of ways.entries()) expect(classify({ ...CLICK, ...way }).source).toBe(sources[at]);
    expect(sources.map(({ agent, referrer, country }) => [agent.browser, referrer, country])).toEqual([
      ['Firefox', '', ''],
      ['Firefox', 'a.example', ''],
      ['Firefox', '', 'NZ'],
      ['Firefox', 'a.example', 'NZ'],
      ['Firefox', 'a.example', 'FR'],
      ['Firefox', 'other', ''],
      ['other', '', ''],
    ]);
  });

  it('is correct even if there are more different referrers than the cache can hold', () => {
    const classify = createClassifier();
    const first = classify(CLICK).source;
    for (let index = 0; index < 5000; index += 1) {
      const referrer = `https://made-up-${index}.example/`;
      expect(classify({ ...CLICK, referrer }).source.referrer).toBe(`made-up-${index}.example`);
    }
    expect(classify(CLICK).source).toEqual(first);
    expect(classify(CLICK).source).not.toBe(first);
  });
});
