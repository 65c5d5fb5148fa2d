import { FEATURE } from '@terse/contract/service-capabilities';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { codesOf, generateCode, promisedShortUrl, withCode } from '../../../src/queue/codes.ts';
import type { Connection, ServiceInfo } from '../../../src/queue/types.ts';
import { aRequest, MINTING, sentRequest, specOnly, takesCodes } from './support/queue-builders.ts';

const service = takesCodes().service as ServiceInfo;
const at = (part: Partial<ServiceInfo>): Connection => ({ ...specOnly, service: { ...service, ...part } });

describe('a code', () => {
  test('contains all symbols equally often, because biased bytes are discarded', () => {
    // The alphabet of our own service. Its 56 symbols do not divide 256 evenly.
    const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz';
    let next = 0;
    const everyByte = (count: number) => Uint8Array.from({ length: count }, () => next++ % 256);
    const fair = 256 - (256 % alphabet.length);
    const text = generateCode({ alphabet, length: fair }, everyByte);
    const counts = [...alphabet].map((symbol) => [...text].filter((one) => one === symbol).length);
    expect(new Set(counts)).toEqual(new Set([fair / alphabet.length]));
    expect(next).toBeGreaterThan(fair - 1);
  });

  test("has the service's length and symbols", () => {
    const alphabets = fc.uniqueArray(
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'),
      {
        minLength: 2,
      },
    );
    fc.assert(
      fc.property(
        alphabets,
        fc.integer({ min: 3, max: 64 }),
        fc.infiniteStream(fc.nat(255)),
        (symbols, length, bytes) => {
          const alphabet = symbols.join('');
          let drawn = 0;
          // Every byte differs, because the generator would loop forever on a constant byte.
          const source = (count: number) =>
            Uint8Array.from({ length: count }, () => (Number(bytes.next().value) + drawn++) % 256);
          const code = generateCode({ alphabet, length }, source);
          expect(code).toHaveLength(length);
          expect([...code].every((symbol) => alphabet.includes(symbol))).toBe(true);
        },
      ),
    );
  });
});

describe('short codes are generated', () => {
  test('if the service accepts them, describes them, and supports idempotency keys', () => {
    expect(codesOf(at({}))).toEqual(service.codes);
    for (const missing of [FEATURE.chosenCodes, FEATURE.links, FEATURE.idempotency]) {
      expect(codesOf(at({ features: service.features.filter((one) => one !== missing) })), missing).toBeNull();
    }
    const { codes, ...silent } = service;
    expect(codes).toBeDefined();
    expect(codesOf({ ...specOnly, service: silent })).toBeNull();
    expect(codesOf(specOnly)).toBeNull();
  });

  test('but not if the user chose one', () => {
    const chosen = aRequest('a', { options: { ...NO_OPTIONS, shortCode: 'mine' } });
    expect(withCode(chosen, at({}), MINTING.randomBytes)).toEqual(chosen);
  });

  test('once for each request, and are removed if another server does not accept them', () => {
    const coded = withCode(aRequest('a'), at({}), MINTING.randomBytes);
    expect(coded.generatedCode).toBe('aaa');
    expect(withCode({ ...coded, generatedCode: 'old' }, at({}), MINTING.randomBytes).generatedCode).toBe('old');
    expect(withCode(coded, specOnly, MINTING.randomBytes)).toEqual(aRequest('a'));
  });
});

describe('the short URL of a waiting request', () => {
  const generatedCode = 'k7Rm2Wq';

  test.each([
    ['https://t.example', 'https://t.example/k7Rm2Wq'],
    ['https://t.example/', 'https://t.example/k7Rm2Wq'],
    ['https://t.example/s/', 'https://t.example/s/k7Rm2Wq'],
    ['http://localhost:8080', 'http://localhost:8080/k7Rm2Wq'],
    ['https://t.example/\u202e?a#b', 'https://t.example/%E2%80%AE/k7Rm2Wq'],
  ])('is built from the base address %s', (shortBaseUrl, expected) => {
    expect(promisedShortUrl(aRequest('a', { generatedCode }), at({ shortBaseUrl }))).toBe(expected);
  });

  test('is on the domain that the user chose, if the service publishes it', () => {
    const domains = [
      { name: 's.example', shortBaseUrl: 'https://s.example' },
      { name: 'go.example', shortBaseUrl: 'http://go.example' },
    ];
    const request = aRequest('a', { generatedCode });
    const connection = at({ domains });
    expect(promisedShortUrl(request, { ...connection, domain: 'go.example' })).toBe('http://go.example/k7Rm2Wq');
    expect(promisedShortUrl(request, { ...connection, domain: 'gone.example' })).toBeNull();
    const sent = sentRequest('a', { generatedCode });
    expect(promisedShortUrl(sent, { ...connection, domain: 'go.example' })).toBe('https://s.example/k7Rm2Wq');
  });

  test('is known while its code is certain to be used', () => {
    for (const state of ['waiting', 'sending', 'unknown'] as const) {
      expect(promisedShortUrl(aRequest('a', { generatedCode, state }), at({})), state).toBe(
        'https://s.example/k7Rm2Wq',
      );
    }
    for (const state of ['failed', 'uncertain'] as const) {
      expect(promisedShortUrl(aRequest('a', { generatedCode, state }), at({})), state).toBeNull();
    }
  });

  test('is unknown without a code or a service that accepts codes', () => {
    expect(promisedShortUrl(aRequest('a'), at({}))).toBeNull();
    expect(promisedShortUrl(aRequest('a', { generatedCode }), specOnly)).toBeNull();
    expect(promisedShortUrl(aRequest('a', { options: { ...NO_OPTIONS, shortCode: 'mine' } }), at({}))).toBeNull();
  });
});
