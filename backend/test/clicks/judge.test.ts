import { describe, expect, it } from 'vitest';
import type { WrittenClick } from '../../src/clicks/frame.ts';
import { createJudge } from '../../src/clicks/judge.ts';
import { NOON } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CLICK: WrittenClick = { link: 1, instant: NOON, visitor: 7, agent: FIREFOX, referrer: '', country: '' };

describe('judging clicks', () => {
  it('gives those that came the same way the same source, and others others', () => {
    const judge = createJudge();
    const ways: Partial<WrittenClick>[] = [
      {},
      { referrer: 'https://a.example/' },
      { country: 'NZ' },
      { referrer: 'https://a.example/', country: 'NZ' },
      { referrer: 'https://a.example/', country: 'FR' },
      { referrer: 'NZ' },
      { agent: 'curl/8.12.1' },
    ];
    const sources = ways.map((way) => judge({ ...CLICK, ...way }).source);
    expect(new Set(sources).size).toBe(ways.length);
    expect(ways.map((way) => judge({ ...CLICK, ...way, link: 2, visitor: 8 }).source)).toEqual(sources);
    for (const [at, way] of ways.entries()) expect(judge({ ...CLICK, ...way }).source).toBe(sources[at]);
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

  it('goes on judging right when somebody makes up more than it remembers', () => {
    const judge = createJudge();
    const first = judge(CLICK).source;
    for (let index = 0; index < 5000; index += 1) {
      const referrer = `https://made-up-${index}.example/`;
      expect(judge({ ...CLICK, referrer }).source.referrer).toBe(`made-up-${index}.example`);
    }
    expect(judge(CLICK).source).toEqual(first);
    expect(judge(CLICK).source).not.toBe(first);
  });
});
