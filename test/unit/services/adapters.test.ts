import { describe, expect, test } from 'vitest';
import { ADAPTERS } from '../../../src/services/adapters.ts';
import { SERVICE_KINDS } from '../../../src/services/service-adapter.ts';

/** Kinds whose adapter is still missing. */
const MISSING = ['shlink', 'chhoto'];

test('every kind has an adapter', () => {
  expect(SERVICE_KINDS.filter((kind) => ADAPTERS[kind] === null)).toEqual(MISSING);
});

describe.each(SERVICE_KINDS.filter((kind) => ADAPTERS[kind]))('the adapter for %s', (kind) => {
  const adapter = ADAPTERS[kind];
  const features = ['idempotency', 'batch', 'item-idempotency', 'links', 'chosen-codes', 'edit', 'analytics', 'key'];
  const codes = { alphabet: 'abcdefgh', length: 7 };
  const service = { name: 'A', shortBaseUrl: 'https://s.example', features, codes };

  test.each([
    ['without a probe', null],
    ['with everything', service],
  ])('offers only what it can do, %s', (_name, found) => {
    if (!adapter) throw new Error('There is no adapter.');
    expect(adapter.kind).toBe(kind);
    const { safeRetry, generatedCode, ownCode, batchSize, ...can } = adapter.capabilities(found);
    expect(batchSize).toBeGreaterThanOrEqual(1);
    if (can.list) expect(adapter.list).toBeDefined();
    if (can.find) expect(adapter.find).toBeDefined();
    if (can.edit.length > 0) expect(adapter.edit).toBeDefined();
    if (can.delete) expect(adapter.delete).toBeDefined();
    if (can.clicks === 'details') expect(adapter.clicks).toBeDefined();
    expect(can.edit).toEqual(expect.arrayContaining([...can.clear]));
    if (safeRetry === 'same_code' || safeRetry === 'look_up') expect(generatedCode).not.toBeNull();
    if (safeRetry === 'look_up') expect(can.find).toBe(true);
    if (generatedCode) {
      const { alphabet, length } = generatedCode;
      const example = [...alphabet].map((symbol) => symbol.repeat(length));
      for (const code of example) expect(code).toMatch(ownCode?.pattern ?? /^$/);
    }
  });
});
