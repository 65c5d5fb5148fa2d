import { describe, expect, test } from 'vitest';
import {
  BATCH_LIMIT,
  BatchAnswer,
  BatchRequest,
  CreateLinkRequest,
  ERROR_STATUS,
  ErrorBody,
  IDEMPOTENCY_KEY_PATTERN,
  KeyDocument,
  Link,
  ownErrorCode,
  ServiceDocument,
  SHORT_CODE_PATTERN,
  ShortenAnswer,
  ShortenRequest,
} from '../src/index.ts';
import { exampleLink } from './example-link.ts';

const link = exampleLink('abc');

const keyDocument = {
  name: 'laptop',
  lastFour: 'abcd',
  createdAt: '2026-03-28T09:30:00.000Z',
  throttle: { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 },
  quota: { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 100 },
};

describe('a response to POST /api/shorten', () => {
  test('needs only its short URL', () => {
    expect(ShortenAnswer.parse({ shortUrl: 'https://s.example/a', more: 1 })).toEqual({
      message: '',
      shortUrl: 'https://s.example/a',
    });
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://s.example/a',
    '//s.example/a',
    's.example/a',
    'https://s.example/a\u2028b',
    'https://s.example/a\u0007',
    'https://s.example/\u202Etxt.a',
    'https://s.example/a b',
    'https://s.example/a\ud83d',
    'https://bank.example@evil.example/a',
    'https://bank.example:443@evil.example/a',
    'https://:443@evil.example/a',
    'https:////bank.example@evil.example/a',
    'https://\\\\bank.example@evil.example/a',
    '',
    null,
    7,
  ])('with the short URL %j is invalid', (shortUrl) => {
    expect(ShortenAnswer.safeParse({ message: 'ok', shortUrl }).success).toBe(false);
  });

  test.each(['https://s.example/@a', 'https://s.example?a@b', 'https://s.example#a@b', 'https://s.example:8443/a@b:c'])(
    'may have an at sign behind its host: %s',
    (shortUrl) => {
      expect(ShortenAnswer.parse({ shortUrl }).shortUrl).toBe(shortUrl);
    },
  );

  test('may have line breaks in its short URL, which are removed as in a browser', () => {
    expect(ShortenAnswer.parse({ shortUrl: 'https://s.example/a\n\tb' }).shortUrl).toBe('https://s.example/ab');
  });

  test('may have white space around its short URL, but not inside', () => {
    expect(ShortenAnswer.parse({ shortUrl: ' https://s.example/a ' }).shortUrl).toBe('https://s.example/a');
  });

  test.each(['https://s.example/'.padEnd(2_048, 'e'), 'https://➡.example/'.padEnd(512, 'é')])(
    'may have a short URL of 2,048 bytes, or of 512 characters in any script',
    (longest) => {
      expect(ShortenAnswer.parse({ shortUrl: longest }).shortUrl).toBe(longest);
      expect(Link.safeParse({ ...link, shortUrl: longest }).success).toBe(true);
      expect(Link.safeParse({ ...link, shortUrl: `${longest}é` }).success).toBe(false);
      expect(ShortenAnswer.safeParse({ shortUrl: `${longest}é` }).success).toBe(false);
    },
  );

  test('with a message that is not text is invalid', () => {
    expect(ShortenAnswer.safeParse({ message: 7, shortUrl: 'https://s.example/a' }).success).toBe(false);
  });
});

test('a request to shorten keeps only its url', () => {
  expect(ShortenRequest.parse({ url: 'x', shortCode: 'y' })).toEqual({ url: 'x' });
  expect(ShortenRequest.safeParse({}).success).toBe(false);
  expect(ShortenRequest.safeParse({ url: 7 }).success).toBe(false);
});

describe('an error body', () => {
  test('has a message, and can have a known or unknown code', () => {
    expect(ErrorBody.parse({ error: 'No.' })).toEqual({ error: 'No.' });
    expect(ErrorBody.parse({ error: 'No.', code: 'new_word' })).toEqual({ error: 'No.', code: 'new_word' });
  });

  test.each([null, 'No.', [], {}, { error: 7 }, { error: { message: 'No.' } }])('cannot be %j', (body) => {
    expect(ErrorBody.safeParse(body).success).toBe(false);
  });

  test('has a fixed status for each code', () => {
    for (const status of Object.values(ERROR_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe('a batch', () => {
  test('contains one to a hundred items of any form', () => {
    expect(BatchRequest.safeParse({ urls: [{ url: 'x' }, 7] }).success).toBe(true);
    expect(BatchRequest.safeParse({ urls: [] }).success).toBe(false);
    expect(BatchRequest.safeParse({ urls: Array(BATCH_LIMIT).fill(1) }).success).toBe(true);
    expect(BatchRequest.safeParse({ urls: Array(BATCH_LIMIT + 1).fill(1) }).success).toBe(false);
  });

  test('returns a link or an error for each item', () => {
    const results = [
      { index: 0, status: 201, link },
      { index: 1, status: 400, error: 'Please enter a valid URL.', code: 'invalid_url' },
    ];
    expect(BatchAnswer.parse({ results })).toEqual({ results });
  });

  test.each([
    { index: 0, status: 201 },
    { index: 0, status: 200, link },
    { index: 0.5, status: 400, error: 'No.', code: 'x' },
    { index: 0, status: 400, error: 'No.' },
    { index: 0, status: 201, link: { ...link, shortUrl: 'javascript:alert(1)' } },
  ])('cannot return the result %j', (result) => {
    expect(BatchAnswer.safeParse({ results: [result] }).success).toBe(false);
  });
});

describe('a link', () => {
  test('is parsed in the format of the service', () => {
    expect(Link.parse(link)).toEqual(link);
  });

  test.each([
    { clicks: -1 },
    { clicks: 1.5 },
    { createdAt: 'yesterday' },
    { expiresAt: undefined },
    { title: undefined },
    { shortUrl: 'javascript:alert(1)' },
  ])('with %j is invalid', (part) => {
    expect(Link.safeParse({ ...link, ...part }).success).toBe(false);
  });

  test('can be requested with a code, a title and an expiry in any time zone', () => {
    const request = { url: 'x', shortCode: 'abc', title: 'T', expiresAt: '2026-03-28T09:30:00+02:00' };
    expect(CreateLinkRequest.parse(request)).toEqual(request);
    expect(CreateLinkRequest.safeParse({ url: 'x', title: 'T'.repeat(301) }).success).toBe(false);
    expect(CreateLinkRequest.safeParse({ url: 'x', expiresAt: 'tomorrow' }).success).toBe(false);
  });
});

test('a service document may have unknown features, but its address must be a web address', () => {
  const document = { name: 'Terse', version: '1', shortBaseUrl: 'https://s.example', features: ['batch', 'teleport'] };
  expect(ServiceDocument.parse(document)).toEqual(document);
  expect(ServiceDocument.safeParse({ ...document, shortBaseUrl: 'javascript:alert(1)' }).success).toBe(false);
  expect(ServiceDocument.safeParse({ ...document, features: 'batch' }).success).toBe(false);
});

describe('the format of new codes', () => {
  const document = { name: 'Terse', version: '1', shortBaseUrl: 'https://s.example', features: [] };

  test('consists of an alphabet and a length', () => {
    const codes = { alphabet: 'abc-_9', length: 7 };
    expect(ServiceDocument.parse({ ...document, codes })).toEqual({ ...document, codes });
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['no length', { alphabet: 'abc' }],
    ['a symbol that no code may have', { alphabet: 'ab/', length: 7 }],
    ['a symbol twice', { alphabet: 'abca', length: 7 }],
    ['one symbol', { alphabet: 'a', length: 7 }],
    ['a length below every code', { alphabet: 'abc', length: 2 }],
    ['a length above every code', { alphabet: 'abc', length: 65 }],
    ['half a symbol', { alphabet: 'abc', length: 7.5 }],
  ])('is ignored with %s, and the document stays valid', (_, codes) => {
    expect(ServiceDocument.parse({ ...document, codes }).codes).toBeUndefined();
  });
});

describe('the scopes of a key', () => {
  test('may include unknown scopes, and may be limited to its own links', () => {
    const access = { scopes: ['create', 'teleport'], ownLinksOnly: true };
    expect(KeyDocument.parse({ ...keyDocument, ...access })).toEqual({ ...keyDocument, ...access });
  });

  test.each([{}, { scopes: 'create', ownLinksOnly: 1 }, { scopes: [7], ownLinksOnly: null }])(
    'are unknown if the key document has %j, and the document stays valid',
    (access) => {
      const { scopes, ownLinksOnly } = KeyDocument.parse({ ...keyDocument, ...access });
      expect([scopes, ownLinksOnly]).toEqual([undefined, undefined]);
    },
  );
});

test('a key document cannot contain a negative number of remaining requests', () => {
  expect(KeyDocument.parse(keyDocument)).toEqual(keyDocument);
  const quota = { ...keyDocument.quota, remaining: -1 };
  expect(KeyDocument.safeParse({ ...keyDocument, quota }).success).toBe(false);
});

test('an idempotency key is 1 to 255 visible ASCII characters', () => {
  expect(IDEMPOTENCY_KEY_PATTERN.test('a')).toBe(true);
  expect(IDEMPOTENCY_KEY_PATTERN.test('~'.repeat(255))).toBe(true);
  for (const key of ['', 'a b', 'ü', 'a\n', 'a'.repeat(256)]) expect(IDEMPOTENCY_KEY_PATTERN.test(key)).toBe(false);
});

test('a custom short code is 3 to 64 letters, digits, underscores or dashes', () => {
  for (const code of ['abc', 'A-b_9', 'x'.repeat(64)]) expect(SHORT_CODE_PATTERN.test(code)).toBe(true);
  for (const code of ['ab', 'a b', 'a/b', 'abc\n', 'ünï', 'x'.repeat(65)]) {
    expect(SHORT_CODE_PATTERN.test(code)).toBe(false);
  }
});

describe('the code of a service’s own error', () => {
  test('is a code of the contract with the matching status', () => {
    expect(ownErrorCode(404, { error: 'No link has this code.', code: 'not_found' })).toBe('not_found');
  });

  test.each([
    [410, { error: 'Gone.', code: 'not_found' }],
    [404, { error: 'Not Found', code: 'NOT_FOUND' }],
    [404, { error: 'Not Found', code: 'toString' }],
    [404, { error: 'Not Found' }],
    [404, '<html>'],
    [404, undefined],
  ])('is null for any other response: %d %j', (status, body) => {
    expect(ownErrorCode(status, body)).toBeNull();
  });
});
