import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUrls, findUrlsInField } from '../src/urls-in-text.ts';

const urlsIn = (text: string) => findUrls(text).urls;

/** Texts that are exactly one URL. */
const EXACT = [
  'https://en.wikipedia.org/wiki/Airplane!',
  'https://en.wikipedia.org/wiki/Who%27s_Afraid_of_Virginia_Woolf?',
  'https://en.wikipedia.org/wiki/Dr.',
  'https://en.wikipedia.org/wiki/Jeopardy!,',
  'https://en.wikipedia.org/wiki/Rain_(river)',
  'https://en.wikipedia.org/wiki/Rain_)river(',
  'https://fonts.googleapis.com/css?family=Roboto|Open+Sans',
  'https://a.example/{id}/{name}',
  'https://a.example/x^y`z`',
  "https://a.example/it's*_",
  'https://a.example/?a=b;c=d,e&f=https://b.example/',
  'https://archive.example/2020/https://a.example/x',
  'https://www.google.com/maps/@52.5,13.4,15z',
  'https://a.example/50%',
  'https://a.example/a%2Fb%20c',
  'https://a.example/#!/route?x=[1]',
  'https://a.example/#:~:text=end.',
  'https://ja.wikipedia.org/wiki/佐々木',
  'https://ja.wikipedia.org/wiki/モーニング娘。',
  'https://例え.jp/例・え',
  'https://münchen.example/straße',
  'https://a.example:8443/x:',
  'http://[2001:db8::1]:8080/x',
  'http://wiki/Home',
  'http://intranet:8080/a.',
  'HTTP://A.example/X!',
  'https://user:secret@a.example/x!',
  'http://localhost:3000/x?',
  'http://127.0.0.1/x;',
  'www.a.example/x!',
  'a.example/x!',
];
const withScheme = (text: string) => (text.includes('://') ? text : `https://${text}`);

describe('a text that is exactly one URL', () => {
  test.each(EXACT)('is that URL: %s', (text) => {
    expect(findUrls(text)).toMatchObject({ urls: [withScheme(text)] });
    expect(findUrlsInField(text)).toEqual({ urls: [withScheme(text)], isCertain: true });
  });

  test.each([
    ' \t\n%\r\n',
    '\u00a0%\u3000',
    '\ufeff\u200b%\u200b',
    '\u2068%\u2069',
    '<%>',
    '"%"',
    '“%”',
    '‘%’',
    '`%`',
    '(%)',
    '「%」',
    '[%]',
  ])('may have spaces, brackets or quotation marks around it: %j', (around) => {
    const url = 'https://en.wikipedia.org/wiki/Airplane!';
    expect(findUrls(around.replace('%', url))).toEqual({ urls: [url], isCertain: true });
  });

  test('can be any line of a text', () => {
    expect(urlsIn(EXACT.join('\n'))).toEqual(EXACT.map(withScheme));
    expect(urlsIn(EXACT.join('\r\n\r\n'))).toEqual(EXACT.map(withScheme));
  });

  test('is never changed, whatever its path, query and fragment contain', () => {
    const part = fc.stringMatching(/^[\w!$&'()*+,;=:@/.~^|{}`%-]{0,20}$/);
    fc.assert(
      fc.property(part, part, part, (path, query, fragment) => {
        const url = `https://a.example/${path}?${query}#${fragment}`;
        fc.pre(!/[,;]https?:/.test(url));
        expect(findUrls(url)).toEqual({ urls: [url], isCertain: true });
      }),
    );
  });

  test.each([
    'https://example.com/docs/Annual Report 2024.pdf',
    'https://example.com/docs/Annual Report 2024.zip',
    'https://example.com/books/Ring of Bright Water.epub?download',
  ])('may have spaces in its file name, but must then be seen before it is sent: %s', (url) => {
    expect(findUrls(url)).toEqual({ urls: [url.replaceAll(' ', '%20')], isCertain: false });
  });

  test.each([
    'https://a.example/search?q="otters"',
    'https://a.example/search?q="otters+swim"&page=2',
    'https://a.example/wiki/“Otters”',
    'https://a.example/wiki/«Otters»#1',
  ])('may contain quotation marks, but must then be seen before it is sent: %s', (url) => {
    expect(findUrls(url)).toEqual({ urls: [url], isCertain: false });
  });
});

describe('an address field', () => {
  test.each([
    ['https://example.com/docs/Annual Report', 'https://example.com/docs/Annual%20Report'],
    ['example.com/docs/Annual Report.pdf', 'https://example.com/docs/Annual%20Report.pdf'],
    ['https://a.example/?q=red shoes#my size', 'https://a.example/?q=red%20shoes#my%20size'],
    ['https://a.example/x is nice', 'https://a.example/x%20is%20nice'],
  ])('contains one URL, with spaces: %s', (text, url) => {
    expect(findUrlsInField(text)).toEqual({ urls: [url], isCertain: true });
  });

  test.each([
    'https://a.example/ https://b.example/',
    'https://a.example/\nhttps://b.example/',
    'https://a.example/\thttps://b.example/',
    'https://a.example/ (https://b.example/)',
    'https://a.example/\u00a0https://b.example/',
    'a.example/ www.b.example',
    'https://a.example/ b.example/y',
    'a.example/x, b.example/y',
  ])('can contain two URLs, which are never joined: %j', (text) => {
    for (const url of findUrlsInField(text).urls) expect(url).not.toMatch(/a\.example.*b\.example/);
  });

  test('can contain prose', () => {
    expect(findUrlsInField('See https://a.example/x.').urls).toEqual(['https://a.example/x']);
    expect(findUrlsInField('example.com is down').urls).toEqual([]);
  });
});

describe('prose', () => {
  test.each([
    ['an empty text', '', []],
    ['only words', 'How to read a river. It takes years, e.g. forty.', []],
    ['a sentence', 'See https://a.example/x?y=1, or not.', ['https://a.example/x?y=1']],
    ['brackets', '(see https://a.example/x)', ['https://a.example/x']],
    ['a URL with brackets', 'or (https://a.example/Rain_(river))…', ['https://a.example/Rain_(river)']],
    ['an IPv6 address', 'at http://[::1], say', ['http://[::1]']],
    ['a host without a dot', 'see http://wiki/Home.', ['http://wiki/Home']],
    ['pipes', 'see https://a.example/css?family=A|B now', ['https://a.example/css?family=A|B']],
    ['quotes', '"https://a.example/x" and “www.b.example/y”', ['https://a.example/x', 'https://www.b.example/y']],
    ['an attribute', '<a href="https://a.example/x!">x</a>', ['https://a.example/x!']],
    [
      'Markdown',
      '[A!](https://a.example/A_(b)!) and <https://b.example/B!>',
      ['https://a.example/A_(b)!', 'https://b.example/B!'],
    ],
    [
      'emphasis',
      'read **https://a.example/x** and `https://b.example/y`',
      ['https://a.example/x', 'https://b.example/y'],
    ],
    ['LaTeX', 'see \\url{https://a.example/x}', ['https://a.example/x']],
    ['JSON', '{"a":"https://a.example/x\\n"}', ['https://a.example/x']],
    ['a list', '1. https://a.example/\n2. https://b.example/\n', ['https://a.example/', 'https://b.example/']],
    ['bare hosts', 'a.example\r\nb.example/y', ['https://a.example', 'https://b.example/y']],
    [
      'URLs between commas',
      'https://a.example/x,https://b.example/y;1',
      ['https://a.example/x', 'https://b.example/y;1'],
    ],
    [
      'URLs between quotation marks',
      'https://a.example/x"https://b.example/y"',
      ['https://a.example/x', 'https://b.example/y'],
    ],
    [
      'duplicates',
      'https://b.example https://a.example HTTPS://B.example/',
      ['https://b.example', 'https://a.example'],
    ],
    [
      'Japanese',
      '詳細は「https://a.example/x」。https://b.example/例、',
      ['https://a.example/x', 'https://b.example/例'],
    ],
    ['an ideograph that looks like punctuation', '（https://a.example/佐々木）です', ['https://a.example/佐々木']],
    ['e-mail and other schemes', 'me@a.example mailto:me@www.a.example ftp://a.example/x', []],
    ['incomplete URLs', 'https:// and www. and https://…', []],
    ['numbers', '1.5\n3.14', []],
  ])('finds the URLs in %s', (_what, text, found) => {
    expect(urlsIn(text)).toEqual(found);
  });

  test.each([
    'See https://en.wikipedia.org/wiki/Airplane!',
    'See https://a.example/x.',
    'See https://a.example/x) there',
    'https://a.example/My Documents/x',
    'see [[https://a.example|Title]]',
    'https://ja.wikipedia.org/wiki/モーニング娘。を見る',
    '記事https://example.com/a。',
    'https://a.example/x"',
    'https://a.example/x<y',
    'https://a.example/x,"Title"',
    'https://a.example/<id>',
    'https://a.example/x»',
    'See https://a.example/?q="otter" now',
    'See https://a.example/a\\b',
  ])('leaves doubt about the end of the URL: %s', (text) => {
    expect(findUrls(text).isCertain).toBe(false);
  });

  test.each([
    'See https://a.example/x now',
    '(see https://a.example/x)',
    'the “https://a.example/x”.',
    '<https://a.example/x>.',
    '[A](https://a.example/x).',
    '<p>https://a.example/x</p>',
    '{"a":"https://a.example/x\\n"}',
    'see \\url{https://a.example/x}',
    'An article\nhttps://a.example/x!\n\nSent from my phone',
  ])('leaves no doubt about the end of the URL: %j', (text) => {
    expect(findUrls(text)).toMatchObject({ isCertain: true, urls: { length: 1 } });
  });
});

describe('rows of a table', () => {
  test.each([
    ['different separators', 'https://a.example/x,Title here\nhttps://b.example/y;"Second, page"'],
    ['single words', 'https://a.example/x,First\nhttps://b.example/y,Second'],
    ['the URL last', '"A title, and more";https://a.example/x\nTitle;https://b.example/y'],
    ['tabs', 'https://a.example/x\tOne\nhttps://b.example/y\tTwo'],
    ['column names', 'url,title\nhttps://a.example/x,Title here\nhttps://b.example/y,No'],
    ['column names and single words', 'url,title\nhttps://a.example/x,First\nhttps://b.example/y,Second'],
    ['column names and numbers', 'no;url;note\n1;https://a.example/x;one\n2;https://b.example/y;two'],
    ['numbers first', '1;https://a.example/x;note\n2;https://b.example/y;note'],
    ['a line that names the separator', 'sep=;\nhttps://a.example/x;First\nhttps://b.example/y;Second'],
    ['quoted URLs', '"https://a.example/x","A title"\n"https://b.example/y","Two"'],
    ['no scheme', 'a.example/x,Title here\nb.example/y,Title there'],
  ])('give their URLs: %s', (_what, text) => {
    expect(urlsIn(text)).toEqual(['https://a.example/x', 'https://b.example/y']);
  });

  test('are not taken for URLs with commas, such as those of a map', () => {
    const maps = ['https://www.google.com/maps/@52.5,13.4,15z', 'https://www.google.com/maps/@48.1,11.6,15z'];
    expect(urlsIn(maps.join('\n'))).toEqual(maps);
    expect(urlsIn(maps.map((url) => `${url} Germany`).join('\n'))).toEqual(maps);
  });
});

test('long texts are searched in little time', () => {
  expect(urlsIn(`https://a.example/x${')'.repeat(300_000)} y`)).toEqual(['https://a.example/x']);
  expect(urlsIn(`${'https://[ '.repeat(10_000)}https://a.example/`)).toEqual(['https://a.example/']);
  expect(urlsIn(`${' '.repeat(1_000_000)}x${' '.repeat(1_000_000)}y`)).toEqual([]);
  expect(urlsIn(`${'"'.repeat(300_000)}\n${',"'.repeat(300_000)}`)).toEqual([]);
});
