import { describe, expect, test } from 'vitest';
import {
  checkDraft,
  type Draft,
  EMPTY_DRAFT as EMPTY,
  entered,
  linkIn,
  storedDraft,
} from '../../../../src/components/connection-form/connection-draft.ts';
import { specOnly } from '../../queue/support/queue-builders.ts';

const NO_CHOICE = { kind: null, domain: null, limits: null };
const LINK = 'https://links.example.com/#key=terse_abc';

describe('input into the form', () => {
  const both = { address: 'https://links.example.com', apiKey: 'terse_abc' };

  test('a connection link in either field fills both fields', () => {
    expect(entered(EMPTY, { address: LINK })).toEqual(both);
    expect(entered(EMPTY, { apiKey: LINK })).toEqual(both);
    expect(entered({ ...EMPTY, address: 'https://old.example' }, { address: LINK })).toEqual(both);
    expect(entered(EMPTY, { apiKey: 'a.example#key=b' })).toEqual({ address: 'https://a.example', apiKey: 'b' });
  });

  test('a typed connection link is split only when it is complete', () => {
    let typed: Draft = EMPTY;
    for (const letter of LINK) typed = { ...typed, ...entered(typed, { address: typed.address + letter }) };
    expect(typed).toEqual({ ...EMPTY, address: LINK });
    expect(linkIn(typed)).toEqual(both);
  });

  test('any other text stays in its field', () => {
    expect(entered(EMPTY, { address: 'links.example.com' })).toEqual({ address: 'links.example.com' });
    expect(entered(EMPTY, { apiKey: 'a#key=b' })).toEqual({ apiKey: 'a#key=b' });
    expect(entered({ ...EMPTY, address: 'a' }, { apiKey: 'terse_x' })).toEqual({ apiKey: 'terse_x' });
  });
});

describe('checkDraft', () => {
  const stored = 'https://links.example.com';

  test('accepts an address and a key', () => {
    expect(checkDraft({ ...EMPTY, address: 'links.example.com/', apiKey: ' k ' }, null)).toEqual({
      ...NO_CHOICE,
      baseUrl: stored,
      apiKey: 'k',
    });
  });

  test.each([
    ['https://links.example.com/api/shorten', 'https://links.example.com'],
    ['links.example.com/api/', 'https://links.example.com'],
    ['https://links.example.com/api/v1/urls/batch?x', 'https://links.example.com'],
    ['https://example.com/links/api/v1', 'https://example.com/links'],
    ['https://api/api/shorten', 'https://api'],
    ['https://api', 'https://api'],
    ['https://api.example.com/apis', 'https://api.example.com/apis'],
    ['https://example.com/api/links', 'https://example.com/api/links'],
    ['https://kutt.example/api/v2', 'https://kutt.example'],
    ['https://kutt.example/api/v2/links', 'https://kutt.example'],
    ['https://example.com/go/yourls-api.php?action=version', 'https://example.com/go'],
    ['https://sink.example/api/link/create', 'https://sink.example'],
    ['https://sink.example/api/verify', 'https://sink.example'],
    ['https://example.com/go/rest/v3/short-urls', 'https://example.com/go'],
    ['https://shlink.example/rest/health', 'https://shlink.example'],
    ['https://rest/v3', 'https://rest/v3'],
    ['https://example.com/rest', 'https://example.com/rest'],
    ['https://chhoto.example/api/new', 'https://chhoto.example'],
    ['https://chhoto.example/api/newer', 'https://chhoto.example/api/newer'],
  ])('accepts an API address as the address of its service: %s', (address, baseUrl) => {
    expect(checkDraft({ ...EMPTY, address, apiKey: 'k' }, stored)).toEqual({
      ...NO_CHOICE,
      baseUrl,
      apiKey: 'k',
    });
    expect(checkDraft({ ...EMPTY, address, apiKey: '' }, baseUrl)).toEqual({
      ...NO_CHOICE,
      baseUrl,
      apiKey: null,
    });
  });

  test('leaves a stored address unchanged', () => {
    const below = 'https://example.com/api';
    expect(checkDraft({ ...EMPTY, address: below, apiKey: '' }, below)).toEqual({
      ...NO_CHOICE,
      baseUrl: below,
      apiKey: null,
    });
  });

  test('keeps the stored key only if the address is unchanged', () => {
    expect(checkDraft({ ...EMPTY, address: stored, apiKey: '' }, stored)).toEqual({
      ...NO_CHOICE,
      baseUrl: stored,
      apiKey: null,
    });
    expect(checkDraft({ ...EMPTY, address: 'https://evil.example', apiKey: '' }, stored)).toEqual({
      field: 'apiKey',
      message: 'key_missing',
    });
    expect(checkDraft({ ...EMPTY, address: stored, apiKey: '' }, null)).toEqual({
      field: 'apiKey',
      message: 'key_missing',
    });
  });

  test.each([
    ['', 'not_a_url'],
    ['http//links.example.com', 'not_a_url'],
    ['javascript:1', 'not_a_url'],
    ['ftp://links.example.com', 'not_http'],
    ['http://links.example.com', 'insecure'],
    ['https://me:pw@links.example.com', 'user_info'],
  ])('explains the error in the address %s', (address, code) => {
    expect(checkDraft({ ...EMPTY, address, apiKey: 'k' }, null)).toEqual({
      field: 'address',
      message: `address_${code}`,
    });
  });

  test('accepts http for this computer', () => {
    expect(checkDraft({ ...EMPTY, address: 'http://127.0.0.1:8787', apiKey: 'k' }, null)).toMatchObject({
      baseUrl: 'http://127.0.0.1:8787',
    });
  });

  test.each(['two words', 'schlüssel', 'a\u0000b'])('rejects %s as an API key', (apiKey) => {
    expect(checkDraft({ ...EMPTY, address: stored, apiKey }, null)).toEqual({
      field: 'apiKey',
      message: 'key_not_a_key',
    });
  });

  test.each([
    [
      { kind: 'kutt', domain: ' go.example ' },
      { kind: 'kutt', domain: 'go.example', limits: null },
    ],
    [{ domain: 'Kürz.example' }, { kind: null, domain: 'xn--krz-hoa.example', limits: null }],
    [{ domain: 'https://Go.Example/' }, { kind: null, domain: 'go.example', limits: null }],
    [{ perSecond: '0.5' }, { ...NO_CHOICE, limits: { perSecond: 0.5, perDay: null } }],
    [
      { perSecond: ' ', perDay: '100' },
      { ...NO_CHOICE, limits: { perSecond: null, perDay: 100 } },
    ],
    [{ perDay: '2000' }, { ...NO_CHOICE, limits: { perSecond: null, perDay: 2_000 } }],
  ] as const)('accepts the server settings %j', (settings, expected) => {
    expect(checkDraft({ ...EMPTY, address: stored, apiKey: 'k', ...settings }, null)).toMatchObject(expected);
  });

  test.each([
    { kind: null, domain: 'xn--krz-hoa.example', limits: { perSecond: 0.5, perDay: 100 } },
    { kind: 'yourls', domain: null, limits: { perSecond: null, perDay: 2000 } },
    { kind: 'kutt', domain: null, limits: null },
  ] as const)('leaves the settings of a stored connection unchanged: %j', (settings) => {
    const { kind, domain, limits } = settings;
    const connection = {
      ...specOnly,
      ...(kind && { kind, isKindChosen: true as const }),
      ...(domain && { domain }),
      ...(limits && { limits }),
    };
    const { baseUrl } = connection;
    expect(checkDraft(storedDraft(connection), baseUrl)).toEqual({ baseUrl, apiKey: null, ...settings });
  });

  test.each([
    [{ domain: 'two words' }, 'serverDomainMalformed'],
    [{ domain: 'go.example/path' }, 'serverDomainMalformed'],
    [{ perSecond: '0' }, 'limitsMalformed'],
    [{ perSecond: 'many' }, 'limitsMalformed'],
    [{ perDay: '-1' }, 'limitsMalformed'],
    [{ perDay: '1.5' }, 'limitsMalformed'],
    [{ perDay: '2001' }, 'limitsMalformed'],
  ] as const)('reports invalid server settings: %j', (settings, message) => {
    const found = checkDraft({ ...EMPTY, address: stored, apiKey: 'k', ...settings }, null);
    expect(found).toEqual({ field: Object.keys(settings)[0], message });
  });
});
