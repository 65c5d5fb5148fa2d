import { describe, expect, test } from 'vitest';
import { formatLinks } from '../../../src/import-export/csv-markdown-html-export.ts';
import { aLink } from '../storage/stored.ts';

const links = [
  aLink('a', { title: 'A [nice] *page*' }),
  aLink('b', { title: '', url: 'https://x.example/?a=1&b="2"' }),
];

describe('the results of a list', () => {
  test('are one short URL per line as text', () => {
    expect(formatLinks('text', links)).toBe('https://s.example/a\nhttps://s.example/b');
  });

  test('contain the readable form of an international domain', () => {
    const international = [aLink('e', { title: 'E', shortUrl: 'https://xn--krz-hoa.example/e' })];
    expect(formatLinks('text', international)).toBe('https://kürz.example/e');
    expect(formatLinks('markdown', international)).toBe('- [E](https://kürz.example/e)');
  });

  test('are a list of links as Markdown, whatever the page titles contain', () => {
    expect(formatLinks('markdown', links)).toBe(
      '- [A \\[nice\\] \\*page\\*](https://s.example/a)\n- [https://x.example/?a=1&b="2"](https://s.example/b)',
    );
    const hostile = aLink('c', { title: 'x](https://evil.example)\n# <b>' });
    expect(formatLinks('markdown', [hostile])).toBe(
      '- [x\\]\\(https://evil.example\\) \\# \\<b\\>](https://s.example/c)',
    );
    const bracketed = aLink('d', { title: 'D', shortUrl: 'https://s.example/d)[e](javascript:alert(1)' });
    expect(formatLinks('markdown', [bracketed])).toBe('- [D](https://s.example/d%29[e]%28javascript:alert%281%29)');
  });

  test('are a list of links as HTML, whatever the page titles and the short URLs contain', () => {
    const hostile = aLink('c', { title: '<img src=x onerror="alert(1)">\u202E' });
    const quoted = aLink('d', { title: 'D', shortUrl: 'https://s.example/d"><b>&' });
    expect(formatLinks('html', [quoted])).toBe(
      '<ul>\n  <li><a href="https://s.example/d&quot;&gt;&lt;b&gt;&amp;">D</a></li>\n</ul>',
    );
    expect(formatLinks('html', [...links, hostile])).toBe(
      '<ul>\n  <li><a href="https://s.example/a">A [nice] *page*</a></li>\n' +
        '  <li><a href="https://s.example/b">https://x.example/?a=1&amp;b=&quot;2&quot;</a></li>\n' +
        '  <li><a href="https://s.example/c">&lt;img src=x onerror=&quot;alert(1)&quot;&gt;</a></li>\n</ul>',
    );
  });
});

test('a title can neither leave its cell nor run as a formula', () => {
  const csv = formatLinks('csv', [
    aLink('a', { url: 'https://x.example/?a=1,2', title: 'Say "hi",\nnow', createdAt: 0, tags: ['birds', '=1+1'] }),
    aLink('b', { url: 'https://x.example/', title: '=HYPERLINK("https://evil")', createdAt: 0 }),
  ]);
  expect(csv).toBe(
    [
      '\uFEFFshortUrl,url,title,createdAt,tags',
      'https://s.example/a,"https://x.example/?a=1,2","Say ""hi"",\nnow",1970-01-01T00:00:00.000Z,"birds, =1+1"',
      'https://s.example/b,https://x.example/,"\'=HYPERLINK(""https://evil"")",1970-01-01T00:00:00.000Z,',
      '',
    ].join('\r\n'),
  );
});
