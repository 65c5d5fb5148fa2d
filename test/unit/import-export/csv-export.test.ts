import { expect, test } from 'vitest';
import { linksToCsv } from '../../../src/import-export/csv-export.ts';
import { aLink } from '../storage/stored.ts';

test('a title can neither leave its cell nor run as a formula', () => {
  const csv = linksToCsv([
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
