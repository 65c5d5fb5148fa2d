import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, hashKey, isWellFormedKey, lastFour } from '../../src/domain/accounts/api-keys.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';

describe('an API key', () => {
  it('consists of terse_, thirty symbols and a checksum of six symbols, and is unique', () => {
    const keys = Array.from({ length: 500 }, () => generateKey(systemRandom));
    expect(new Set(keys).size).toBe(500);
    for (const key of keys) {
      expect(key).toMatch(/^terse_[0-9A-Za-z]{36}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
  });

  it('is invalid if any single symbol is wrong', () => {
    const key = generateKey(systemRandom);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: key.length - 1 }), fc.stringMatching(/^[0-9A-Za-z]$/), (at, symbol) => {
        const typed = key.slice(0, at) + symbol + key.slice(at + 1);
        expect(isWellFormedKey(typed)).toBe(typed === key);
      }),
    );
  });

  it('is invalid if it is too short, too long or of another form', () => {
    const key = generateKey(systemRandom);
    for (const text of ['', key.slice(0, -1), `${key}a`, key.slice(6), key.toUpperCase(), `${key}, ${key}`]) {
      expect(isWellFormedKey(text), text).toBe(false);
    }
  });

  it('is stored as a hash and its last four symbols', () => {
    const sha256 = 'd3e45215e120db3eb5995f4abba313ec28ab1d4ae7de808d341d9c36bd1121ea';
    expect(Buffer.from(hashKey('terse_x')).toString('hex')).toBe(sha256);
    expect(lastFour('terse_abcd1234')).toBe('1234');
  });
});
