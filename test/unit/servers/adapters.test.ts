import { describe, expect, test } from 'vitest';
import { SERVICE_KINDS } from '../../../src/servers/adapter.ts';
import { ADAPTERS } from '../../../src/servers/call-server.ts';
import { capabilitiesOf } from '../../../src/servers/capabilities.ts';

test('every kind has an adapter', () => {
  expect(SERVICE_KINDS.filter((kind) => !Object.hasOwn(ADAPTERS, kind))).toEqual([]);
});

describe.each(SERVICE_KINDS)('the adapter for %s', (kind) => {
  const adapter = ADAPTERS[kind];
  const features = ['idempotency', 'batch', 'item-idempotency', 'links', 'chosen-codes', 'edit', 'analytics', 'key'];
  const codes = { alphabet: 'abcdefgh', length: 7 };
  const service = { name: 'A', shortBaseUrl: 'https://s.example', features, codes };

  test.each([
    ['before a probe', null],
    ['after a probe that found all features', service],
  ])('offers only operations that it implements, %s', (_name, found) => {
    expect(adapter.kind).toBe(kind);
    const { safeRetry, generatedCode, ownCode, batchSize, ...can } = capabilitiesOf({ kind, service: found });
    expect(batchSize).toBeGreaterThanOrEqual(1);
    if (can.clicks === 'details') expect(adapter.clicks).toBeDefined();
    if (can.clear) expect(can.edit).toBe(true);
    if (safeRetry === 'same_code' || safeRetry === 'look_up') expect(generatedCode).not.toBeNull();
    if (safeRetry === 'look_up') expect(can.list).toBe(true);
    if (generatedCode) {
      const { alphabet, length } = generatedCode;
      const example = [...alphabet].map((symbol) => symbol.repeat(length));
      for (const code of example) expect(code).toMatch(ownCode ?? /^$/);
    }
  });
});
