import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import messages from '../../../public/_locales/en/messages.json' with { type: 'json' };

const entries = Object.entries(messages as Record<string, { message: string; description?: string }>);
const keys = entries.map(([key]) => key);

/** Returns the members of a union of string literals, read from its declaration. */
function union(file: string, name: string): string[] {
  const declared = new RegExp(`export type ${name} =([^;]*);`).exec(readFileSync(file, 'utf8'))?.[1];
  return [...(declared ?? '').matchAll(/'(\w+)'/g)].map(([, member = '']) => member);
}

const REFUSALS = union('src/messages/protocol.ts', 'RefusalCode');

/** Message keys that are built from a code. Every code needs a message, so a new code without one fails this test. */
const FAMILIES = {
  problem_: union('src/servers/adapter.ts', 'ProblemCode'),
  block_: union('src/queue/types.ts', 'BlockReason'),
  refusal_: REFUSALS,
  wait_: union('src/queue/status.ts', 'WaitReason'),
  connection_: union('src/queue/status.ts', 'ConnectionStatus'),
  // Codes that are also error codes use the messages of the error codes.
  blocked_: union('src/urls/shortenable-url-rules.ts', 'NotShortenable').filter((code) => !REFUSALS.includes(code)),
  address_: union('contract/src/connection-link.ts', 'AddressProblem'),
};

describe('messages', () => {
  test.each(Object.entries(FAMILIES))('every code has a message: %s', (prefix, codes) => {
    expect(codes.length).toBeGreaterThan(1);
    expect(keys).toEqual(expect.arrayContaining(codes.map((code) => prefix + code)));
  });

  test('every message is used', () => {
    const source = globSync(['src/**/*.{ts,tsx}', 'manifest.json'])
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const composed = new Set(Object.entries(FAMILIES).flatMap(([prefix, codes]) => codes.map((code) => prefix + code)));
    const templates = [...source.matchAll(/`(\w*)\$\{\w+(?:\.\w+)?\}(\w*)`/g)].map(
      ([, start = '', end = '']) => new RegExp(`^${start}\\w+${end}$`),
    );
    const specific = templates.filter((one) => !/^\^\\w\+\$$/.test(one.source));
    const unused = keys.filter(
      (key) =>
        !composed.has(key) &&
        // The source contains a plural message's key without the plural suffix.
        !source.includes(`'${key.replace(/__[a-z]+$/, '')}'`) &&
        !source.includes(`__MSG_${key}__`) &&
        !specific.some((template) => template.test(key)),
    );
    expect(unused).toEqual([]);
  });

  test('every message in the code exists', () => {
    const source = globSync('src/**/*.{ts,tsx}')
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const named = [...source.matchAll(/\b(?:t|getMessage)\(\s*'([^']+)'/g)].map(([, key = '']) => key);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((key) => !keys.includes(key))).toEqual([]);
  });

  test.each(entries)('%s has a description for translators, and describes its placeholders', (_key, entry) => {
    const {
      message,
      description,
      placeholders = {},
    } = entry as typeof entry & {
      placeholders?: Record<string, { content: string; example: string }>;
    };
    expect(message).not.toBe('');
    expect(description).toBeTruthy();
    const named = new Set([...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase()));
    expect([...named].sort()).toEqual(Object.keys(placeholders).sort());
    for (const { content, example } of Object.values(placeholders)) {
      expect(content).toMatch(/^\$\d$/);
      expect(example).toBeTruthy();
    }
  });
});
