import { describe, expect, test } from 'vitest';
import {
  checkDraft,
  type Draft,
  entered,
  resolved,
} from '../../../../src/components/connection-form/validate-connection.ts';

const EMPTY: Draft = { address: '', apiKey: '', name: '' };
const LINK = 'https://links.example.com/#key=terse_abc';

describe('input into the form', () => {
  test('a connection link in either field fills both fields', () => {
    const both = { address: 'https://links.example.com', apiKey: 'terse_abc', name: '' };
    expect(entered(EMPTY, { address: LINK })).toEqual(both);
    expect(entered(EMPTY, { apiKey: LINK })).toEqual(both);
    expect(entered({ address: 'https://old.example', apiKey: null, name: '' }, { address: LINK })).toEqual(both);
  });

  test('a typed connection link is split only when it is complete', () => {
    const typed = [...LINK].reduce<Draft>(
      (draft, letter) => entered(draft, { address: draft.address + letter }),
      EMPTY,
    );
    expect(typed).toEqual({ address: LINK, apiKey: '', name: '' });
    expect(resolved(typed)).toEqual({ address: 'https://links.example.com', apiKey: 'terse_abc', name: '' });
  });

  test('any other text stays in its field', () => {
    expect(entered(EMPTY, { address: 'links.example.com' })).toEqual({
      address: 'links.example.com',
      apiKey: '',
      name: '',
    });
    expect(entered(EMPTY, { apiKey: 'a.example#key=b' })).toEqual({
      address: 'https://a.example',
      apiKey: 'b',
      name: '',
    });
    expect(entered(EMPTY, { apiKey: 'a#key=b' })).toEqual({ address: '', apiKey: 'a#key=b', name: '' });
    expect(entered({ address: 'a', apiKey: null, name: '' }, { apiKey: 'terse_x' })).toEqual({
      address: 'a',
      apiKey: 'terse_x',
      name: '',
    });
  });
});

describe('checkDraft', () => {
  const stored = 'https://links.example.com';

  test('accepts an address and a key', () => {
    expect(checkDraft({ address: 'links.example.com/', apiKey: ' k ', name: '' }, null)).toEqual({
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
  ])('accepts an API address as the address of its service: %s', (address, baseUrl) => {
    expect(checkDraft({ address, apiKey: 'k', name: '' }, stored)).toEqual({ baseUrl, apiKey: 'k' });
    expect(checkDraft({ address, apiKey: null, name: '' }, baseUrl)).toEqual({ baseUrl, apiKey: null });
  });

  test('leaves a stored address unchanged', () => {
    const below = 'https://example.com/api';
    expect(checkDraft({ address: below, apiKey: null, name: '' }, below)).toEqual({ baseUrl: below, apiKey: null });
  });

  test('keeps the stored key for its own address only', () => {
    expect(checkDraft({ address: stored, apiKey: null, name: '' }, stored)).toEqual({ baseUrl: stored, apiKey: null });
    expect(checkDraft({ address: 'https://evil.example', apiKey: null, name: '' }, stored)).toEqual({
      field: 'key',
      code: 'missing',
    });
    expect(checkDraft({ address: stored, apiKey: '', name: '' }, null)).toEqual({ field: 'key', code: 'missing' });
  });

  test.each([
    ['', 'not_a_url'],
    ['http//links.example.com', 'not_a_url'],
    ['javascript:1', 'not_a_url'],
    ['ftp://links.example.com', 'not_http'],
    ['http://links.example.com', 'insecure'],
    ['https://me:pw@links.example.com', 'user_info'],
  ])('explains the error in the address %s', (address, code) => {
    expect(checkDraft({ address, apiKey: 'k', name: '' }, null)).toEqual({ field: 'address', code });
  });

  test('accepts http for this computer', () => {
    expect(checkDraft({ address: 'http://127.0.0.1:8787', apiKey: 'k', name: '' }, null)).toMatchObject({
      baseUrl: 'http://127.0.0.1:8787',
    });
  });

  test.each(['two words', 'schlüssel', 'a\u0000b'])('reports that %s is not a key', (apiKey) => {
    expect(checkDraft({ address: stored, apiKey, name: '' }, null)).toEqual({ field: 'key', code: 'not_a_key' });
  });
});
